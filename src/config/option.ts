/** What one row of the settings table says. */

import type { Kind } from "./kind.ts";

/** The three programs whose environments start unchanged. */
export type Program = "mcp-silverbullet" | "silverbullet-mcp-server" | "personal-mcp-bridge";

/** What an old value means in the words of today: a text, nothing at all, or a refusal. */
export type AliasReading =
  | { readonly text: string }
  | { readonly unset: string | null }
  | { readonly wanted: string };

/** An older name of a setting. */
export interface Alias {
  readonly name: string;
  readonly program: Program;
  /** A name that hosting platforms set as well: it yields to a predecessor's prefixed name of the same setting. */
  readonly common: boolean;
  /** A switch that the program had under two names, of which either turned it on. */
  readonly either: boolean;
  /** Only counts where no other name of the setting is given. */
  readonly yields: boolean;
  /** Where the old values differ from ours; `unset` may carry a sentence for a notice. */
  readonly read: ((text: string) => AliasReading) | null;
}

export const sections = [
  "SilverBullet",
  "Folders",
  "Listening",
  "Authentication",
  "OAuth",
  "JWT",
  "State",
  "What assistants may do",
  "Limits",
  "Documents",
  "Logs",
] as const;

export type Section = typeof sections[number];

/** `F` is `T` where there is a fixed default, `null` where there is none. */
export interface Option<T, F extends T | null = T | null> {
  readonly section: Section;
  readonly kind: Kind<T>;
  /** `null`: nothing, or derived from other settings (`derived` says how). */
  readonly fallback: F;
  /** How the default comes about, where it is no fixed value. */
  readonly derived: string | null;
  readonly secret: boolean;
  readonly aliases: readonly Alias[];
  /** True where only the predecessor's name exists: no name of today, no flag, nothing in the file. */
  readonly old: boolean;
  /** One line, without a full stop. */
  readonly help: string;
}

interface RowBase<T> {
  readonly section: Section;
  readonly kind: Kind<T>;
  readonly help: string;
}

interface RowRest {
  readonly derived?: string;
  readonly secret?: true;
  readonly aliases?: readonly Alias[];
  readonly old?: true;
}

/** One row of the table; `rest` holds what most rows do not need. */
export function row<T>(
  options: RowBase<T>,
  rest: RowRest & { readonly fallback: NoInfer<T> },
): Option<T, T>;
export function row<T>(options: RowBase<T>, rest?: RowRest): Option<T, null>;
export function row<T>(
  options: RowBase<T>,
  rest: RowRest & { readonly fallback?: NoInfer<T> } = {},
): Option<T> {
  return {
    ...options,
    fallback: rest.fallback ?? null,
    derived: rest.derived ?? null,
    secret: rest.secret ?? false,
    aliases: rest.aliases ?? [],
    old: rest.old ?? false,
  };
}

type AliasOptions = Partial<Pick<Alias, "common" | "either" | "yields" | "read">>;

/** A name of mcp-silverbullet, without its prefix. */
export function mcpSilverbullet(name: string, options: AliasOptions = {}): Alias {
  return alias(`MCP_SILVERBULLET_${name}`, { program: "mcp-silverbullet", ...options });
}

/** A name of personal-mcp-bridge, without its prefix. */
export function bridge(name: string, options: AliasOptions = {}): Alias {
  return alias(`BRIDGE_${name}`, { program: "personal-mcp-bridge", ...options });
}

/** One of the two names of personal-mcp-bridge that have no prefix. */
export function bareBridge(name: string, options: AliasOptions = {}): Alias {
  return alias(name, { program: "personal-mcp-bridge", ...options });
}

/** A name of silverbullet-mcp-server, which has no prefix. */
export function server(name: string, options: AliasOptions = {}): Alias {
  return alias(name, { program: "silverbullet-mcp-server", ...options });
}

function alias(name: string, options: AliasOptions & { readonly program: Program }): Alias {
  return { name, common: false, either: false, yields: false, read: null, ...options };
}
