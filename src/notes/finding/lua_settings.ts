/**
 * Settings that a space's CONFIG page makes in Lua, as far as they are plain text: `config.set("a.b", "x")`,
 * `config.set("a", { b = "x" })` and `config.set { a = { b = "x" } }` in `space-lua` blocks. What has to be computed is
 * passed over. Runs nothing.
 */

interface Token {
  readonly kind: "name" | "text" | "sign";
  readonly value: string;
}

const luaBlock = /^(`{3,}|~{3,})[ \t]*space-lua[^\n]*\n([\s\S]*?)^\1/gm;
const token =
  /--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*|\[(=*)\[\r?\n?([\s\S]*?)\]\2\]|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|[A-Za-z_]\w*|\.\.|[^\s]/g;
/** Longer pages are no place for settings. */
const maxLength = 262_144;

/** Values by their full key, such as `journal.prefix`; a later one counts. */
export function luaSettings(page: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const [, , code = ""] of page.slice(0, maxLength).matchAll(luaBlock)) {
    const tokens = tokensOf(code);
    for (let at = 0; at < tokens.length; at++) {
      if (!isCall(tokens, at)) continue;
      const reader = new Reader(tokens, at + 3);
      reader.call((key, value) => settings.set(key, value));
    }
  }
  return settings;
}

function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  for (const match of code.matchAll(token)) {
    const [whole, , , long, double, single] = match;
    if (opensForEver(code, match.index, whole)) break;
    if (whole.startsWith("--")) continue;
    const text = long ?? plain(double ?? single);
    if (text !== undefined) tokens.push({ kind: "text", value: text });
    else tokens.push({ kind: /^\w/.test(whole) ? "name" : "sign", value: whole });
  }
  return tokens;
}

/** True where a text or comment begins that nothing ends: what follows is no Lua. */
function opensForEver(code: string, at: number, found: string): boolean {
  if (found === '"' || found === "'") return true;
  if (found === "[") return /^\[=*\[/.test(code.slice(at, at + 100));
  return /^--\[=*\[/.test(found) && !/\]=*\]$/.test(found);
}

/** Without the escapes of quotes and backslashes; others are kept as they are written. */
function plain(quoted: string | undefined): string | undefined {
  return quoted?.replace(/\\(["'\\])/g, "$1");
}

function isCall(tokens: readonly Token[], at: number): boolean {
  return ["config", ".", "set"].every((value, offset) => {
    const found = tokens[at + offset];
    return found?.value === value && found.kind === (value === "." ? "sign" : "name");
  });
}

type Take = (key: string, value: string) => void;

class Reader {
  readonly #tokens: readonly Token[];
  #at: number;

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  /** What follows `config.set`. */
  call(take: Take): void {
    const isBracketed = this.#skip("(");
    if (this.#isSign("{")) return this.#table("", take);
    const key = this.#text();
    if (key === null || !isBracketed || !this.#skip(",")) return;
    if (this.#isSign("{")) return this.#table(key, take);
    const value = this.#text();
    if (value !== null && this.#isSign(")")) take(key, value);
  }

  /** `{ name = "text", name = { … } }`; stops at what it does not know. */
  #table(prefix: string, take: Take, depth = 0): void {
    if (!this.#skip("{") || depth > 4) return;
    while (!this.#skip("}")) {
      const name = this.#key();
      if (name === null || !this.#skip("=")) return this.#leave();
      const key = prefix === "" ? name : `${prefix}.${name}`;
      if (this.#isSign("{")) this.#table(key, take, depth + 1);
      else {
        const value = this.#text();
        const isWhole = [",", ";", "}"].some((sign) => this.#isSign(sign));
        if (value !== null && isWhole) take(key, value);
        else if (!this.#toNext()) return;
      }
      if (!this.#skip(",")) this.#skip(";");
    }
  }

  #key(): string | null {
    if (this.#skip("[")) {
      const key = this.#text();
      return this.#skip("]") ? key : null;
    }
    const found = this.#tokens[this.#at];
    if (found?.kind !== "name") return null;
    this.#at++;
    return found.value;
  }

  #text(): string | null {
    const found = this.#tokens[this.#at];
    if (found?.kind !== "text") return null;
    this.#at++;
    return found.value;
  }

  /** Passes over a value that has to be computed; false where the table never goes on. */
  #toNext(): boolean {
    for (let depth = 0; this.#at < this.#tokens.length; this.#at++) {
      const found = this.#tokens[this.#at];
      if (found?.kind !== "sign") continue;
      if ("({[".includes(found.value)) depth++;
      else if (depth > 0 && ")}]".includes(found.value)) depth--;
      else if (depth === 0 && [",", ";", "}"].includes(found.value)) return true;
    }
    return false;
  }

  /** Nothing more of this table is understood. */
  #leave(): void {
    this.#at = this.#tokens.length;
  }

  #isSign(value: string): boolean {
    const found = this.#tokens[this.#at];
    return found?.kind === "sign" && found.value === value;
  }

  #skip(value: string): boolean {
    if (!this.#isSign(value)) return false;
    this.#at++;
    return true;
  }
}
