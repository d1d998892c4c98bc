/** Kinds of settings that only this program has: page globs, name globs, roots, paired numbers, secrets of people. */

import { pageGlobProblem } from "../core/page_globs.ts";
import { keptPassphrase } from "../core/secrets.ts";
import { type Kind, type Parsed, refine } from "./kind.ts";
import { choice, hasControl, integer, list, readBoolean } from "./kinds.ts";
import type { AuthWay } from "./config.ts";

/** Globs over page names. Mistakes that would match nothing are refused: a hidden page must not show for a typo. */
export function pageGlobs(): Kind<readonly string[]> {
  return refine(list("page globs, separated by commas"), {
    check: checkPageGlobs,
    show: (value) => value.join(", "),
  });
}

export function checkPageGlobs(globs: readonly string[]): Parsed<readonly string[]> {
  for (const glob of globs) {
    const wanted = pageGlobProblem(glob);
    if (wanted !== null) return { wanted };
  }
  return { value: globs };
}

/** Globs over single names in folders. */
export function nameGlobs(): Kind<readonly string[]> {
  return refine(list("globs on names, separated by commas"), {
    check: checkNameGlobs,
    show: (value) => value.join(", "),
  });
}

export function checkNameGlobs(globs: readonly string[]): Parsed<readonly string[]> {
  const bad = globs.some((glob) => /[/\\{}[\]]/.test(glob) || glob.startsWith("!"));
  const wanted = "globs on single names such as *.tmp or drafts; only * and ? have a meaning";
  return bad ? { wanted } : { value: globs };
}

/** A root as written, before its folder was looked at. */
export interface RootText {
  readonly alias: string;
  readonly path: string;
}

export const rootAliasPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** `alias=path;alias2=path2`; a path may hold `=`. */
export function roots(): Kind<readonly RootText[]> {
  const wanted = "entries such as notes=/srv/notes;docs=/srv/docs, names made of letters, digits, _ and -";
  return {
    label: "`alias=path`, separated by `;`",
    parse(input) {
      const found = new Map<string, RootText>();
      for (const entry of input.split(";").map((part) => part.trim()).filter((part) => part !== "")) {
        const cut = entry.indexOf("=");
        const alias = entry.slice(0, Math.max(cut, 0)).trim();
        const path = entry.slice(cut + 1).trim();
        if (!rootAliasPattern.test(alias) || path === "" || hasControl(path)) return { wanted };
        if ((found.get(alias)?.path ?? path) !== path) return { wanted: "each name once" };
        found.set(alias, { alias, path });
      }
      return found.size === 0 ? { wanted } : { value: [...found.values()] };
    },
    show: (value) => value.map((root) => `${root.alias}=${root.path}`).join(";"),
    settle: (value, absolute) => value.map((root) => ({ alias: root.alias, path: absolute(root.path) })),
  };
}

/** Two numbers with a slash between them; one alone sets the first. */
function pair(label: string, options: {
  readonly first: readonly [min: number, max: number];
  readonly second: readonly [min: number, max: number];
  readonly secondFallback: number;
}): Kind<readonly [number, number]> {
  const [first, second] = [integer(...options.first), integer(...options.second)];
  const range = (limits: readonly [number, number]) => `${limits[0]} to ${limits[1]}`;
  const wanted = `${label}: ${range(options.first)}, then a slash and ${range(options.second)}`;
  return {
    label,
    parse(input) {
      const [left = "", right = String(options.secondFallback), ...rest] = input.split("/");
      const a = first.parse(left);
      const b = second.parse(right);
      if (rest.length > 0 || "wanted" in a || "wanted" in b) return { wanted };
      return { value: [a.value, b.value] };
    },
    show: (value) => value.join("/"),
  };
}

export function pollSeconds(): Kind<readonly [number, number]> {
  return pair("seconds in use/idle", { first: [1, 3600], second: [1, 86400], secondFallback: 60 });
}

/** `null`: off. */
export function changesPerHour(): Kind<readonly [number, number] | null> {
  const numbers = pair("changed/deleted an hour", {
    first: [1, 1_000_000],
    second: [0, 1_000_000],
    secondFallback: 30,
  });
  return {
    label: "`changed/deleted`, or `off`",
    parse(input) {
      if (/[a-z]/i.test(input) && readBoolean(input) === false) return { value: null };
      const parsed = numbers.parse(input);
      return "wanted" in parsed ? { wanted: "two numbers such as 200/30, one number, or off" } : parsed;
    },
    show: (value) => value === null ? "off" : numbers.show(value),
  };
}

const ways = ["oauth", "token", "jwt"] as const;

/** The ways in; an empty list stands for `none`. */
export function authWays(): Kind<readonly AuthWay[]> {
  const wanted = "oauth, token, jwt, several of them separated by commas, or none alone";
  return refine(list("`oauth`, `token`, `jwt` (several by comma), or `none`"), {
    check(words) {
      const chosen = words.map((word) => word.toLowerCase());
      if (chosen.length === 1 && chosen[0] === "none") return { value: [] };
      const known = ways.filter((way) => chosen.includes(way));
      return known.length > 0 && known.length === new Set(chosen).size ? { value: known } : { wanted };
    },
    show: (value) => value.length === 0 ? "none" : value.join(", "),
  });
}

/** Signature algorithms of JWTs that rest on a public key. */
export const jwtAlgorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

export function algorithms(): Kind<readonly string[]> {
  return refine(list("JWA names, separated by commas"), {
    check(names) {
      const known = names.every((name) => jwtAlgorithms.includes(name));
      const wanted = `names among ${jwtAlgorithms.join(", ")}; none and HS* are never accepted`;
      return known && names.length > 0 ? { value: names } : { wanted };
    },
    show: (value) => value.join(", "),
  });
}

/** The owner's passphrase as typed, or its hash as `silverbridge owner` prints it. */
export function ownerSecret(): Kind<string> {
  const wanted =
    "a passphrase of at least 12 characters, or the scrypt$… line that silverbridge owner prints";
  return {
    label: "secret",
    parse(input) {
      const value = input.replace(/[\r\n]+$/, "");
      if (value.startsWith("scrypt$")) {
        return keptPassphrase(value) === null ? { wanted } : { value };
      }
      const long = [...value.trim()].length >= 12 && !hasControl(value) && value.length <= 1024;
      return long ? { value } : { wanted };
    },
    show: (value) => value,
  };
}

/** House rules: the text itself, a page to read them from, or the path of a file. */
export interface InstructionsText {
  readonly from: "text" | "page" | "file";
  readonly text: string;
}

export function instructions(): Kind<InstructionsText> {
  return {
    label: "text, `file:` and a path, or `page:` and a name",
    parse(input) {
      const value = input.trim();
      const [, from = "", rest = ""] = /^(file|page):\s*(.*)$/s.exec(value) ?? [];
      if (from === "" && !(value.startsWith("/") && !/\s/.test(value))) {
        return { value: { from: "text", text: value } };
      }
      const text = from === "" ? value : rest;
      if (text === "" || hasControl(text)) return { wanted: "text, file: with a path, or page: with a name" };
      return { value: { from: from === "page" ? "page" : "file", text } };
    },
    show: (value) => value.from === "text" ? value.text : `${value.from}:${value.text}`,
    settle: (value, absolute) => value.from === "file" ? { from: "file", text: absolute(value.text) } : value,
  };
}

export const profiles = ["standard", "full", "read", "chatgpt", "files"] as const;

export function profile(): Kind<typeof profiles[number]> {
  return choice(profiles);
}
