/** The plain kinds of settings: texts, numbers, sizes, times, switches, choices and lists. */

import type { Kind, Parsed } from "./kind.ts";

/** One line of text without control characters, edges trimmed. */
export function text(label = "text"): Kind<string> {
  return {
    label,
    parse(input) {
      const value = input.trim();
      return hasControl(value) ? { wanted: "one line without control characters" } : { value };
    },
    show: (value) => value,
  };
}

/** A file or folder on this machine; relative paths and `~/` are settled by the loader. */
export function path(label = "path"): Kind<string> {
  return {
    label,
    parse(input) {
      const value = input.trim();
      return hasControl(value) ? { wanted: "a path without control characters" } : { value };
    },
    show: (value) => value,
    settle: (value, absolute) => absolute(value),
  };
}

/** A bearer token: visible ASCII, as it must fit a header. */
export function token(): Kind<string> {
  return {
    label: "secret",
    parse(input) {
      const value = input.trim();
      if (/^[\x21-\x7e]{1,4096}$/.test(value)) return { value };
      return { wanted: "one word of ASCII letters, digits and signs, at most 4096, without spaces" };
    },
    show: (value) => value,
  };
}

export function integer(min: number, max: number): Kind<number> {
  const label = `integer, ${min} to ${max}`;
  return {
    label,
    parse: (input) => within(input.trim(), { min, max, wanted: `an integer from ${min} to ${max}` }),
    show: String,
  };
}

export function boolean(): Kind<boolean> {
  return {
    label: "on or off",
    isSwitch: true,
    parse(input) {
      const value = readBoolean(input);
      return value === null ? { wanted: "on or off (also 1, true, yes, 0, false, no)" } : { value };
    },
    show: (value) => value ? "on" : "off",
  };
}

/** `null` for a word that is neither. */
export function readBoolean(input: string): boolean | null {
  const word = input.trim().toLowerCase();
  if (["1", "true", "yes", "on"].includes(word)) return true;
  return ["0", "false", "no", "off", ""].includes(word) ? false : null;
}

export function choice<const T extends string>(words: readonly T[]): Kind<T> {
  const label = words.map((word) => `\`${word}\``).join(", ");
  return {
    label,
    parse(input) {
      const word = input.trim().toLowerCase();
      const value = words.find((known) => known === word);
      return value === undefined ? { wanted: `one of ${words.join(", ")}` } : { value };
    },
    show: (value) => value,
  };
}

const sizeUnits: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** A size in bytes: `4194304`, `4 MiB`. */
export function bytes(min: number, max: number): Kind<number> {
  const wanted = `a size from ${showBytes(min)} to ${showBytes(max)}, such as 4 MiB or 4194304`;
  return {
    label: `size, ${showBytes(min)} to ${showBytes(max)}`,
    parse: (input) => scaled(input, { units: sizeUnits, min, max, wanted }),
    show: showBytes,
  };
}

/** The largest unit that divides it. */
export function showBytes(value: number): string {
  for (const [unit, size] of [["GiB", 1024 ** 3], ["MiB", 1024 ** 2], ["KiB", 1024]] as const) {
    if (value > 0 && value % size === 0) return `${value / size} ${unit}`;
  }
  return String(value);
}

const timeUnits = { seconds: 1, minutes: 60, hours: 3600, days: 86400 } as const;

/** A length of time, counted in `unit` where the number stands alone: `24`, `24h`, `1 d`. Must come out whole. */
export function duration(
  unit: keyof typeof timeUnits,
  limits: { readonly min: number; readonly max: number },
): Kind<number> {
  const size = timeUnits[unit];
  const units = {
    "": 1,
    s: timeUnits.seconds / size,
    min: timeUnits.minutes / size,
    h: timeUnits.hours / size,
    d: timeUnits.days / size,
  };
  const wanted = `${limits.min} to ${limits.max} ${unit}, as a number or with a unit (s, min, h, d)`;
  return {
    label: `${unit}, ${limits.min} to ${limits.max}`,
    parse: (input) => scaled(input, { units, ...limits, wanted }),
    show: String,
  };
}

/** Comma-separated texts; empty parts are dropped, the rest trimmed. */
export function list(label: string): Kind<readonly string[]> {
  return {
    label,
    parse: (input) => items(input.split(",")),
    parseItems: items,
    show: (value) => value.join(", "),
  };
}

export function hasControl(value: string): boolean {
  // deno-lint-ignore no-control-regex
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value);
}

function items(parts: readonly string[]): Parsed<readonly string[]> {
  const value = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (value.some(hasControl)) return { wanted: "a list without control characters" };
  return { value: [...new Set(value)] };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly wanted: string;
}

function within(digits: string, bounds: Bounds): Parsed<number> {
  const value = /^\d{1,15}$/.test(digits) ? Number(digits) : NaN;
  return value >= bounds.min && value <= bounds.max ? { value } : { wanted: bounds.wanted };
}

function scaled(
  input: string,
  options: Bounds & { readonly units: Readonly<Record<string, number>> },
): Parsed<number> {
  const [, digits = "", unit = ""] = /^(\d{1,15})\s*([A-Za-z]*)$/.exec(input.trim()) ?? [];
  const factor = Object.hasOwn(options.units, unit.toLowerCase())
    ? options.units[unit.toLowerCase()]
    : undefined;
  if (digits === "" || factor === undefined) return { wanted: options.wanted };
  const value = Number(digits) * factor;
  const fits = Number.isInteger(value) && value >= options.min && value <= options.max;
  return fits ? { value } : { wanted: options.wanted };
}
