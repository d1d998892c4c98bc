/**
 * References as they are written inside links: `^Folder/Page@12`, `Page#Heading`, `$anchor` (SilverBullet
 * plug-api/lib/ref.ts, unchanged from 2.7 to 2.11).
 *
 * Reads one reference. Which file a path means is for the space to say: `LinkRef.path` is what was written, with
 * `.md` added where it has no extension.
 */

export type RefDetail =
  | { readonly kind: "position"; readonly offset: number }
  /** 1-based. */
  | { readonly kind: "line"; readonly line: number; readonly column: number }
  | { readonly kind: "header"; readonly header: string }
  | { readonly kind: "anchor"; readonly name: string };

export interface LinkRef {
  /** A path with extension, without a leading slash; empty for the page that the link is on. */
  readonly path: string;
  readonly detail: RefDetail | null;
  /** Where in the reference the path as written stands: after `^` and `/`, before what names a place on the page. */
  readonly pathStart: number;
  readonly pathEnd: number;
}

const extension = /.\.[A-Za-z0-9]+$/;

/** The reference that `text` is, or `null` where SilverBullet would not take it for one. */
export function parseRef(text: string): LinkRef | null {
  if (/[\n\r\u2028\u2029]/.test(text)) return null;
  const caret = text.startsWith("^") ? 1 : 0;
  const rest = text.slice(caret);
  if (/^\/?[.^]/.test(rest) || isUnsafe(rest)) return null;
  const written = /^[^@#|<>$]*/.exec(rest)?.[0] ?? "";
  const detail = parseDetail(rest.slice(written.length));
  if (detail === undefined) return null;
  const slash = written.startsWith("/") ? 1 : 0;
  const name = written.slice(slash);
  const path = name === "" || extension.test(name) ? name : `${name}.md`;
  return { path, detail, pathStart: caret + slash, pathEnd: caret + written.length };
}

/** Forms that the grammar refuses anywhere in a reference, what follows the path included. */
function isUnsafe(rest: string): boolean {
  return rest.includes("//") || rest.includes("[[") || rest.includes("]]") ||
    /(?:^|\/)\.{1,2}(?:\/|$)/.test(rest) || /\.[A-Za-z0-9]+\.md$/.test(rest);
}

/** What follows the path; `null` for nothing, `undefined` for what is no detail at all. */
function parseDetail(text: string): RefDetail | null | undefined {
  if (text === "") return null;
  if (text.startsWith("#")) return { kind: "header", header: text.slice(1).trimStart() };
  const anchor = /^\$([A-Za-z_][A-Za-z0-9_/:-]*)$/.exec(text);
  if (anchor !== null) return { kind: "anchor", name: anchor[1] ?? "" };
  const position = /^@(\d+)$/.exec(text);
  if (position !== null) return { kind: "position", offset: Number(position[1]) };
  const line = /^@[Ll](\d+)(?:[Cc](\d+))?$/.exec(text);
  if (line === null) return undefined;
  return { kind: "line", line: Number(line[1]), column: Number(line[2] ?? 1) };
}
