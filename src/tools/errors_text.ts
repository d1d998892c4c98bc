/**
 * How a failed call reads (product §4.4): a sentence that is enough by itself, then the same as JSON.
 *
 * A remedy never names a tool that the caller is not shown: such a clause is left out. Which clients get the
 * error without its flag is decided here too, since some hide the text of flagged results.
 */

import type { AppError } from "../core/errors.ts";
import type { Principal } from "../core/principal.ts";
import type { CallerInfo } from "./tool.ts";

export type ErrorStyle = "flag" | "content" | "auto";

export interface ErrorAnswer {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface ToolNames {
  /** Every tool of the product. */
  readonly all: ReadonlySet<string>;
  /** Those that the caller is shown. */
  readonly shown: ReadonlySet<string>;
}

const plainRemedy = "Tell the owner of this server if you cannot go on without it.";

export function errorAnswer(error: AppError, names: ToolNames): ErrorAnswer {
  const remediation = remedyFor(error.remedy, names);
  const json: Record<string, unknown> = {
    error: error.code,
    status: error.status,
    message: error.message,
    remediation,
  };
  if (error.upstream !== undefined) json["kind"] = error.upstream;
  if (error.retryable) json["retryable"] = true;
  for (const [key, value] of Object.entries(error.details)) {
    if (!Object.hasOwn(json, key)) json[key] = value;
  }
  return { text: `${sentence(error.message)} ${remediation}`, json };
}

function remedyFor(remedy: string, names: ToolNames): string {
  const clauses = remedy.split(/(?<=[.;!?])\s+/);
  const kept = clauses.filter((clause) => !namesHiddenTool(clause, names));
  if (kept.length === clauses.length) return sentence(remedy);
  const text = kept.join(" ").replace(/;$/, "");
  return text === "" ? plainRemedy : sentence(text);
}

/** Names of one word (`undo`, `search`) count only as code, since they are words of the language too. */
function namesHiddenTool(clause: string, { all, shown }: ToolNames): boolean {
  for (const [, code, word] of clause.matchAll(/`([a-z_]+)(?:\([^`]*\))?`|\b([a-z]+(?:_[a-z]+)+)\b/g)) {
    const name = code ?? word;
    if (name !== undefined && all.has(name) && !shown.has(name)) return true;
  }
  return false;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export interface StyleOptions {
  readonly style: ErrorStyle;
  readonly principal: Principal;
  readonly caller: CallerInfo;
}

/**
 * True when the flag `isError` is left off. `auto` does so only for hosted Claude, known by its grant, else its
 * token's name, else the request's client information, else its user agent: the first that says who it is.
 */
export function hidesFlaggedText({ style, principal, caller }: StyleOptions): boolean {
  if (style !== "auto") return style === "content";
  const granted = principal.kind === "oauth" || principal.kind === "token" ? principal.name : null;
  for (const name of [granted, caller.client, caller.userAgent ?? null]) {
    const known = name === null ? null : flagHabit(name.trim());
    if (known !== null) return known === "hides";
  }
  return false;
}

/** Whether a client of that name shows its model the text of flagged results; `null` for a name unknown here. */
function flagHabit(name: string): "hides" | "shows" | null {
  if (/^claude[ ._-]?code\b|^anthropic\b.*\bcode\b/i.test(name)) return "shows";
  if (/^(?:chatgpt|openai|codex|cursor|visual studio code|vscode|grok)/i.test(name)) return "shows";
  if (/^claude(?:[ ._-](?:ai|desktop|web|mobile|user)\b.*)?$/i.test(name)) return "hides";
  return /^anthropic\b/i.test(name) ? "hides" : null;
}
