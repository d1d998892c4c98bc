/** HTML by tagged template: every value is escaped unless it is HTML already. */

/** Text that is safe to put into a page between tags or in a quoted attribute. Only `html` makes it. */
export type Html = SafeHtml;

type Value = Html | string | number | null | undefined | false | readonly Html[];

class SafeHtml {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** `null`, `undefined` and `false` vanish; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? "";
  values.forEach((value, index) => {
    text += render(value) + (parts[index + 1] ?? "");
  });
  return new SafeHtml(text);
}

/** For `&`, `<`, `>` and both quotes, so that it is right in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof SafeHtml) return value.toString();
  if (typeof value === "object") return value.map(render).join("");
  return escapeHtml(String(value));
}
