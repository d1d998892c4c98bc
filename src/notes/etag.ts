/**
 * Version tokens: what a caller holds to say which content it means (product §4.2).
 *
 * A token is made of the content alone, so it is the same after a restart and in every process. Its first letter
 * says whether it was handed out together with the whole text (`v`) or without it (`p`), and the rest differs for
 * the two, so that neither can be turned into the other by someone who does not have the content.
 */

import { AppError } from "../core/errors.ts";
import type { ContentHash } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";

/** Whether the caller knows the whole text of that version or only a part. */
export type Knowledge = "whole" | "part";

/** What a caller demands of the present content before it may be changed. */
export type Precondition =
  | { readonly kind: "token"; readonly knowledge: Knowledge; readonly token: string }
  /** The long form of newer servers; whoever has it has hashed the whole content. */
  | { readonly kind: "hash"; readonly hash: ContentHash }
  /** A time in milliseconds that was handed out together with the whole text. */
  | { readonly kind: "time"; readonly modified: number }
  /** `*`: whatever is there, but something. */
  | { readonly kind: "anything" };

const bodyLength = 16;
const tokenForm = /^[vp][0-9a-z]{16}$/;
/** Numbers below are sizes or seconds; milliseconds passed it in 1973. */
const firstTime = 1e11;
/** No version is as long in any spelling, so that nothing longer is looked at any closer. */
const longestSpelling = 200;

export function etagOf(hash: ContentHash, knowledge: Knowledge): string {
  const letter = knowledge === "whole" ? "v" : "p";
  const digits = sha256Hex(`${letter}:${hash}`).slice(0, 20);
  return letter + BigInt(`0x${digits}`).toString(36).padStart(bodyLength, "0");
}

/** Parses an `if_match` argument. Throws `invalid_argument` for anything that can be no version. */
export function parsePrecondition(input: string): Precondition {
  if (input.length > longestSpelling) throw notAVersion("");
  const text = unquote(input);
  if (text === "*") return { kind: "anything" };
  if (tokenForm.test(text)) {
    return { kind: "token", knowledge: text.startsWith("v") ? "whole" : "part", token: text };
  }
  const long = /^sha256:([0-9a-f]{64})$/i.exec(text)?.[1];
  if (long !== undefined) return { kind: "hash", hash: long.toLowerCase() };
  const digits = /^(\d{1,15})(?:\.0+)?$/.exec(text)?.[1];
  if (digits !== undefined && Number(digits) >= firstTime) return { kind: "time", modified: Number(digits) };
  throw notAVersion(text);
}

/** True when `hash` is the content that a token or long form means; never for times and `*`. */
export function namesContent(precondition: Precondition, hash: ContentHash): boolean {
  switch (precondition.kind) {
    case "token":
      return precondition.token === etagOf(hash, precondition.knowledge);
    case "hash":
      return precondition.hash === hash;
    case "time":
    case "anything":
      return false;
  }
}

/** Clients put back the quotes of an `ETag` header, sometimes escaped, sometimes with its weak mark. */
function unquote(input: string): string {
  return input.trim().replace(/^W\//, "").replace(/^(?:\\?["'])+|(?:\\?["'])+$/g, "").trim();
}

function notAVersion(text: string): AppError {
  const number = /^\d+(?:\.\d+)?$/.test(text);
  return new AppError({
    code: "invalid_argument",
    message: number
      ? "Cannot use a small number as `if_match`: sizes and seconds are no versions of a page"
      : "Cannot use this `if_match`: it is no version that this server gave out",
    remedy: "Call `read_page` and pass its `etag`, exactly as it stands there.",
    details: { argument: "if_match" },
  });
}
