/** Who did something, what it was, and where the page can be looked at, in words of the owner's page. */

import { encodePagePath, type PagePath } from "../../../core/page_name.ts";
import type { Grant } from "../../../oauth/grants.ts";
import type { HistoryEntry } from "../../../notes/past/past_requests.ts";
import { type Html, html } from "../../../web/html.ts";
import { withMarks } from "./marked_text.ts";

export interface SpaceWords {
  /** What the notes are called. */
  readonly name: string;
  /** Where people open pages, without a trailing slash. */
  readonly address: string;
}

/** `address`: where people open pages. */
export function spaceWords(address: string): SpaceWords {
  return { name: new URL(address).host, address };
}

/** Names of clients by the identifier of their principal; `undefined` for everybody else. */
export interface CallerNames {
  get(principal: string): string | undefined;
}

/** Each is looked up once, and only if it is asked for: there may be thousands. */
export function callerNames(find: (id: string) => Grant | null): CallerNames {
  const known = new Map<string, string | undefined>();
  return {
    get(principal) {
      if (known.has(principal)) return known.get(principal);
      const grant = principal.startsWith("grant:") ? find(principal.slice("grant:".length)) : null;
      const name = grant === null ? undefined : clientName(grant.approval.client);
      known.set(principal, name);
      return name;
    },
  };
}

export function clientName({ name, host }: { readonly name: string; readonly host: string | null }): string {
  return name === "" ? host ?? "A client without a name" : name;
}

/** True for what was done on this page. */
export function isOwner(principal: string): boolean {
  return principal === "owner";
}

/** `grant:…`, `token:…` and the others, as the owner knows them. */
export function callerWords(principal: string, names: CallerNames): string {
  const known = names.get(principal);
  if (known !== undefined) return known;
  const [kind = "", name = ""] = splitOnce(principal, ":");
  switch (kind) {
    case "owner":
      return "You, on this page";
    case "grant":
      return "A client that is forgotten by now";
    case "token":
      return `Token “${name}”`;
    case "jwt":
      return `“${name}” of your identity provider`;
    case "local":
      return "A program on the server’s machine";
    default:
      return principal === "" ? "Nobody known" : principal;
  }
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** `changed`, `deleted` and so on, followed by the page; `undoes`: it took another change back. */
export function deedWords({ action }: Pick<HistoryEntry, "action">): string {
  return deeds[action] ?? action;
}

const deeds: Readonly<Record<string, string>> = {
  create: "created",
  write: "changed",
  append: "added to the end of",
  prepend: "added to the beginning of",
  delete: "deleted",
  restore: "brought back",
  purge: "deleted for good",
  move: "moved",
  links: "changed links, after a move, on",
};

/** The page's name. Letters of other scripts, or marks that turn the reading direction, stay within it. */
export function pageWords(page: string): Html {
  return html`<bdi>${withMarks(page)}</bdi>`;
}

/** The page's name, as a link to where people open it; `gone`: there is nothing to open. */
export function pageLink(
  page: string,
  { space, gone }: { readonly space: SpaceWords | null; readonly gone: boolean },
): Html {
  if (space === null || gone) return html`<strong>${pageWords(page)}</strong>`;
  // Only ever made of a page's name: nothing of it is a path of this server.
  const path = encodePagePath(page.toWellFormed() as PagePath);
  return html`<a href="${space.address}/${path}" rel="noreferrer">${pageWords(page)}</a>`;
}
