/** The sections that only the configuration file has: `tokens`, `clients`, `claims`, and `roots` as a list. */

import type { Profile } from "../core/principal.ts";
import { type Verb, type VerbGlobs, verbs } from "../core/rights.ts";
import type { ClaimSetting, ClientSetting, TokenSetting } from "./config.ts";
import { boolean, list, path, text, token } from "./kinds.ts";
import { nameGlobs, pageGlobs, profile, rootAliasPattern } from "./kinds_product.ts";
import { refine } from "./kind.ts";
import type { Report } from "./report.ts";
import { Fields, inFile } from "./yaml_fields.ts";
import type { YamlNode } from "./yaml_tree.ts";

export const sectionKeys = ["tokens", "clients", "claims", "roots"] as const;

/** A root as the file or the setting gives it; its folder has not been looked at yet. */
export interface RootDraft {
  readonly alias: string;
  readonly path: string;
  readonly index: boolean;
  readonly exclude: readonly string[];
  /** For problems. */
  readonly name: string;
}

/** A rule's aliases are checked once the roots are known. */
export interface RootsClaim {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** A static token whose text is at hand, so that its strength can be judged. */
export interface TokenText {
  readonly name: string;
  readonly text: string;
}

export interface Sections {
  readonly tokens: readonly TokenSetting[];
  readonly tokenTexts: readonly TokenText[];
  readonly clients: readonly ClientSetting[];
  readonly claims: readonly ClaimSetting[];
  readonly roots: readonly RootDraft[];
  readonly rootsClaims: readonly RootsClaim[];
}

export interface SectionsOptions {
  readonly report: Report;
  /** The secret in a file, or `null` after a problem. */
  readonly readSecret: (path: string, name: string) => string | null;
  readonly absolute: (path: string) => string;
  readonly hash: (text: string) => string;
}

type SectionNodes = ReadonlyMap<string, YamlNode>;

export function readSections(nodes: SectionNodes, options: SectionsOptions): Sections {
  const reader = new SectionReader(options);
  const tokens = reader.items(nodes, "tokens").map((node, index) => reader.token(node, `tokens[${index}]`));
  const clients = reader.items(nodes, "clients").map((node, index) =>
    reader.client(node, `clients[${index}]`)
  );
  const claims = reader.items(nodes, "claims").map((node, index) => reader.claim(node, `claims[${index}]`));
  const roots = reader.items(nodes, "roots").map((node, index) => reader.root(node, `roots[${index}]`));
  return {
    tokens: tokens.filter((each) => each !== null),
    clients: clients.filter((each) => each !== null),
    claims: claims.filter((each) => each !== null),
    roots: roots.filter((each) => each !== null),
    tokenTexts: reader.tokenTexts,
    rootsClaims: reader.rootsClaims,
  };
}

const ruleKeys = ["rights", "roots", "profile", "silverbullet_token", "silverbullet_token_file"];

class SectionReader {
  readonly tokenTexts: TokenText[] = [];
  readonly rootsClaims: RootsClaim[] = [];
  readonly #options: SectionsOptions;
  readonly #names = new Map<string, string>();

  constructor(options: SectionsOptions) {
    this.#options = options;
  }

  items(nodes: SectionNodes, section: string): readonly YamlNode[] {
    const node = nodes.get(section);
    if (node === undefined) return [];
    if (node.kind === "list") return node.items;
    const name = inFile(section, node.place);
    this.#options.report.problem(name, `${name} must be a list`, "Begin each entry with a dash");
    return [];
  }

  token(node: YamlNode, label: string): TokenSetting | null {
    const fields = this.#fields(node, label, ["name", "hash", "token_file", ...ruleKeys]);
    const name = this.#uniqueName(fields, "tokens");
    const hash = fields.value("hash", tokenHash) ?? this.#hashOfFile(fields);
    if (!fields.has("hash") && !fields.has("token_file")) fields.require("hash");
    if (fields.has("hash") && fields.has("token_file")) this.#both(fields, "hash", "token_file");
    const rule = this.#rule(fields);
    return name === null || hash === null ? null : { name, hash, ...rule };
  }

  client(node: YamlNode, label: string): ClientSetting | null {
    const fields = this.#fields(node, label, ["name", "match", ...ruleKeys]);
    const name = this.#uniqueName(fields, "clients");
    fields.require("match");
    const matchNode = fields.node("match");
    const rule = this.#rule(fields);
    if (matchNode === null) return null;
    const match = this.#fields(matchNode, fields.path("match"), ["client", "redirect_host"]);
    const client = match.value("client", text());
    const redirectHost = match.value("redirect_host", text());
    if (!match.has("client") && !match.has("redirect_host")) {
      this.#options.report.problem(
        match.name,
        `${match.name} fits every client`,
        "Add client or redirect_host",
      );
    }
    return name === null ? null : { name, match: { client, redirectHost }, ...rule };
  }

  claim(node: YamlNode, label: string): ClaimSetting | null {
    const fields = this.#fields(node, label, ["when", "rights", "roots"]);
    fields.require("when");
    fields.require("rights");
    const when = this.#when(fields);
    const { rights, roots } = this.#rule(fields);
    return when === null || rights === null ? null : { when, rights, roots };
  }

  root(node: YamlNode, label: string): RootDraft | null {
    const fields = this.#fields(node, label, ["alias", "path", "index", "exclude"]);
    fields.require("alias");
    fields.require("path");
    const alias = fields.value("alias", rootAlias);
    const folder = fields.value("path", path());
    const index = fields.value("index", boolean()) ?? true;
    const exclude = fields.value("exclude", nameGlobs()) ?? [];
    if (alias === null || folder === null) return null;
    return { alias, path: this.#options.absolute(folder), index, exclude, name: fields.name };
  }

  #fields(node: YamlNode, label: string, keys: readonly string[]): Fields {
    return new Fields(node, { label, keys, report: this.#options.report });
  }

  #uniqueName(fields: Fields, section: string): string | null {
    fields.require("name");
    const name = fields.value("name", ruleName);
    if (name === null) return null;
    const first = this.#names.get(`${section}/${name}`);
    if (first !== undefined) {
      const shown = fields.nameOf("name");
      this.#options.report.problem(
        shown,
        `${shown} is the name of ${first} too`,
        "Give each a name of its own",
      );
    }
    this.#names.set(`${section}/${name}`, fields.name);
    return name;
  }

  #hashOfFile(fields: Fields): string | null {
    const file = fields.value("token_file", path());
    if (file === null) return null;
    const name = fields.nameOf("token_file");
    const secret = this.#secret(file, name);
    if (secret === null) return null;
    this.tokenTexts.push({ name, text: secret });
    return this.#options.hash(secret);
  }

  /** The token in a file, by the rules for tokens, or `null` after a problem. */
  #secret(file: string, name: string): string | null {
    const content = this.#options.readSecret(this.#options.absolute(file), name);
    if (content === null) return null;
    const parsed = token().parse(content);
    if ("value" in parsed) return parsed.value;
    this.#options.report.problem(
      name,
      `${name} must name a file that holds ${parsed.wanted}`,
      "Correct the file",
    );
    return null;
  }

  #rule(fields: Fields): Pick<ClientSetting, "rights" | "roots" | "profile" | "silverbulletToken"> {
    const rights = this.#rights(fields);
    const roots = this.#roots(fields, rights);
    const chosen: Profile | null = fields.value("profile", profile());
    const direct = fields.value("silverbullet_token", token());
    const file = fields.value("silverbullet_token_file", path());
    if (fields.has("silverbullet_token") && fields.has("silverbullet_token_file")) {
      this.#both(fields, "silverbullet_token", "silverbullet_token_file");
    }
    const fromFile = file === null ? null : this.#secret(file, fields.nameOf("silverbullet_token_file"));
    return { rights, roots, profile: chosen, silverbulletToken: direct ?? fromFile };
  }

  #rights(fields: Fields): VerbGlobs | null {
    const node = fields.node("rights");
    if (node === null) return null;
    const granted = this.#fields(node, fields.path("rights"), verbs);
    const rights: Partial<Record<Verb, readonly string[]>> = {};
    for (const verb of verbs) {
      const globs = granted.value(verb, pageGlobs());
      if (globs !== null) rights[verb] = globs;
    }
    return rights;
  }

  /** Folders are granted like verbs: a rule that names rights and no roots grants none. */
  #roots(fields: Fields, rights: VerbGlobs | null): readonly string[] | "all" {
    const aliases = fields.value("roots", list("names of roots, or `all`"));
    if (aliases === null) return rights === null ? "all" : [];
    if (aliases.length === 1 && aliases[0] === "all") return "all";
    this.rootsClaims.push({ name: fields.nameOf("roots"), aliases });
    return aliases;
  }

  #when(fields: Fields): Readonly<Record<string, string>> | null {
    const node = fields.node("when");
    if (node === null) return null;
    const keys = node.kind === "map" ? node.entries.map((entry) => entry.key) : [];
    const claims = this.#fields(node, fields.path("when"), keys);
    if (keys.length === 0) {
      const name = fields.nameOf("when");
      this.#options.report.problem(name, `${name} names no claim`, "Write when: { groups: editors }");
      return null;
    }
    const when = keys.map((key) => [key, claims.value(key, text())] as const);
    const whole = when.flatMap(([key, value]) => value === null ? [] : [[key, value] as const]);
    return whole.length === when.length ? Object.fromEntries(whole) : null;
  }

  #both(fields: Fields, one: string, other: string): void {
    const name = fields.nameOf(other);
    this.#options.report.problem(name, `${name} stands beside ${one}`, "Keep one of the two");
  }
}

const tokenHash = refine(text("`sha256:` and 64 hexadecimal digits"), {
  check(value) {
    const [, hex] = /^sha256:([0-9a-f]{64})$/i.exec(value) ?? [];
    const wanted = "sha256: and the 64 hexadecimal digits that silverbridge token prints";
    return hex === undefined ? { wanted } : { value: hex.toLowerCase() };
  },
  show: (value) => `sha256:${value}`,
});

/** What a token or a rule for clients is called. */
export const ruleName = refine(text("name"), {
  check: (value) =>
    /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,63}$/u.test(value)
      ? { value }
      : { wanted: "a name of at most 64 letters, digits, spaces and . _ @ + -" },
  show: (value) => value,
});

const rootAlias = refine(text("name of a root"), {
  check: (value) =>
    rootAliasPattern.test(value) ? { value } : { wanted: "a name of letters, digits, _ and -, at most 64" },
  show: (value) => value,
});
