/** A program that may ask the owner for access, however it is known, and what counts of its metadata. */

import { isAcceptableRedirect } from "./redirect_uri.ts";

/** How a client is known: by a document at its own address, by registering itself, by the operator. */
export type Standing = "document" | "registered" | "configured";

export interface Client {
  readonly id: string;
  readonly standing: Standing;
  /** As it calls itself, made fit to be shown; empty where it has no name. */
  readonly name: string;
  /** The host that vouches for the name: that of its document. `null` where nobody does. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
  /** SHA-256 in hex of the secret that it must show at `/token`; `null` for a public client. */
  readonly secretHash: string | null;
  /** False only for a client that listed its grant types and left refreshing out. */
  readonly refreshes: boolean;
}

const maxRedirects = 20;
const maxNameLength = 80;

/** What a person is shown of a name that anybody chose: one line, no invisible or reordering characters. */
export function shownName(text: string): string {
  const plain = text.normalize("NFC")
    .replace(/\s/gu, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/ +/g, " ")
    .trim()
    .normalize("NFC");
  const characters = [...plain];
  return characters.length <= maxNameLength ? plain : `${characters.slice(0, maxNameLength - 1).join("")}…`;
}

/** The acceptable ones of the addresses in client metadata, each once; `null` where it is no list of texts. */
export function acceptableRedirects(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return null;
  return [...new Set(value.filter(isAcceptableRedirect))].slice(0, maxRedirects);
}

/** From `grant_types`: absent means that nothing was said. `null` where it is no list of texts. */
export function refreshesBy(value: unknown): boolean | null {
  if (value === undefined) return true;
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return null;
  return value.includes("refresh_token");
}

/** The JSON object that `text` is, members of `null` left out as if they had not been sent; `null` for anything else. */
export function metadataObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  } catch {
    return null;
  }
}
