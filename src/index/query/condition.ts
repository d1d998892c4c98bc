/**
 * Conditions on a page's frontmatter: `status=done`, `due<2026-12-01`, `rating>=4`, `status!=done`, or a key alone.
 *
 * Text is compared without case, numbers as numbers, dates as far as both are given (`due<2026-12` reads as before
 * December). A key that holds a list fits when one of its values does.
 */

export type ConditionOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "exists";

export interface Condition {
  /** Compared without case. */
  readonly key: string;
  readonly operator: ConditionOperator;
  /** Empty for `exists`. */
  readonly value: string;
}

/** A value of a page's frontmatter, in the forms in which it can be compared. */
export interface PropertyForms {
  readonly text: string;
  readonly number: number | null;
  /** `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or that with a time. */
  readonly date: string | null;
}

const shape = /^([\p{L}_$][\p{L}\p{N}_.$-]*)(?:(<=|>=|!=|=|<|>)(.*))?$/su;
const datePattern = /^\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?)?)?(?=$|[.Z+-])/;

/** The condition that `text` states, or `null` where it states none. */
export function parseCondition(text: string): Condition | null {
  const match = shape.exec(text.trim());
  const key = match?.[1];
  if (key === undefined) return null;
  const operator = match?.[2] ?? "";
  const value = unquoted(match?.[3] ?? "");
  if (!isOperator(operator)) return { key: key.toLowerCase(), operator: "exists", value: "" };
  return value === "" ? null : { key: key.toLowerCase(), operator, value };
}

/** More conditions than anybody writes, in UTF-16 units; each is looked up for itself. */
const longestWhere = 2000;

/**
 * The conditions of a `where` argument, several of them parted by commas, semicolons, `and` or spaces; `null` with the
 * part that states none.
 */
export function parseConditions(where: string): readonly Condition[] | { readonly unreadable: string } {
  if (where.length > longestWhere) return { unreadable: where };
  const parts = where.match(
    /[^\s,;"=<>!]+\s*(?:<=|>=|!=|=|<|>)\s*(?:"[^"]*"|[^\s,;]+)|[^\s,;]+/gu,
  ) ?? [];
  const conditions: Condition[] = [];
  for (const part of parts) {
    if (/^and$/i.test(part)) continue;
    const condition = parseCondition(part.replace(/\s*(<=|>=|!=|=|<|>)\s*/u, "$1"));
    if (condition === null) return { unreadable: part };
    conditions.push(condition);
  }
  return conditions;
}

export function propertyForms(text: string): PropertyForms {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : null;
  return {
    text: text.toLowerCase(),
    number,
    date: datePattern.exec(text.trim())?.[0].replace(" ", "T") ?? null,
  };
}

/** True where one of a key's values fits. No value at all fits `!=` alone. */
export function fits(condition: Condition, values: readonly PropertyForms[]): boolean {
  if (condition.operator === "exists") return values.length > 0;
  const wanted = propertyForms(condition.value);
  if (condition.operator === "!=") return values.every((value) => compared(value, wanted) !== 0);
  const { operator } = condition;
  return values.some((value) => {
    const order = compared(value, wanted);
    if (order === null) return false;
    if (operator === "=") return order === 0;
    if (operator === "<") return order < 0;
    if (operator === ">") return order > 0;
    return operator === "<=" ? order <= 0 : order >= 0;
  });
}

/** Below, at or above zero as `value` is before, equal to or after `wanted`; `null` where they are not alike. */
function compared(value: PropertyForms, wanted: PropertyForms): number | null {
  if (value.text === wanted.text) return 0;
  if (value.number !== null && wanted.number !== null) return value.number - wanted.number;
  if (value.date !== null && wanted.date !== null) {
    const length = Math.min(value.date.length, wanted.date.length);
    return order(value.date.slice(0, length), wanted.date.slice(0, length));
  }
  if (wanted.number !== null || wanted.date !== null) return null;
  return order(value.text, wanted.text);
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function isOperator(text: string): text is ConditionOperator {
  return text !== "" && "<= >= != = < >".split(" ").includes(text);
}

function unquoted(text: string): string {
  const value = text.trim();
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
