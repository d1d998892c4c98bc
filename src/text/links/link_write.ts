/**
 * Points a link to another file and leaves everything else of it as its author wrote it: alias, heading, position,
 * `^`, `/`, `.md`, quotes, relative or absolute, percent-encoded or in angle brackets.
 *
 * What is written is read again; a link that would not mean the wanted file is not written at all.
 */

import type { Edit } from "../edits.ts";
import { scanInline } from "../markdown/inline.ts";
import { type LinkRef, parseRef } from "./link_ref.ts";
import type { PageLink } from "./links.ts";
import { isLocalUrl, relativeUrl, resolveUrl } from "./markdown_url.ts";

export interface Retarget {
  readonly link: PageLink;
  /** The file that it shall mean, with extension: `Projects/Alpha.md`, `img/a.png`. Written in full. */
  readonly path: string;
  /** The page that the link is on by then. */
  readonly page: string;
}

/** The change to make in `text`, which the link was found in, or `null` where no link can say it. */
export function retargetLink(text: string, { link, path, page }: Retarget): Edit | null {
  for (const target of link.kind === "wikilink" ? [wikilinkTarget(link, path)] : urls({ link, path, page })) {
    const ref = link.kind === "wikilink" ? parseRef(target) : referenceOf(target, page);
    if (ref === null || !means(ref, path, link.ref)) continue;
    const edit = { start: link.targetStart, end: link.targetEnd, text: target };
    if (reads(text, link, edit)) return edit;
  }
  return null;
}

/** The path in the form of the old one: `.md` only where it was written. */
function inFormOf(written: string, path: string): string {
  return path.endsWith(".md") && !written.endsWith(".md") ? path.slice(0, -3) : path;
}

function wikilinkTarget({ target, ref }: PageLink, path: string): string {
  const written = target.slice(ref.pathStart, ref.pathEnd);
  return target.slice(0, ref.pathStart) + inFormOf(written, path) + target.slice(ref.pathEnd);
}

/** Addresses that may say it, the one most like the old first. */
function urls({ link, path, page }: Retarget): string[] {
  const mark = link.target.search(/[@#$]/);
  const written = mark < 0 ? link.target : link.target.slice(0, mark);
  const suffix = mark < 0 ? "" : link.target.slice(mark);
  const wanted = inFormOf(written, path);
  const address = written.startsWith("/") ? `/${wanted}` : relativeUrl(wanted, page);
  const careful = address.replace(/[%\\<>]/g, encodeURIComponent);
  const encoded = careful.replace(/\s/g, encodeURIComponent).replace(
    /[()]/g,
    (mark) => mark === "(" ? "%28" : "%29",
  );
  if (link.angled) return [careful + suffix, encoded + suffix];
  const plain = /\s/.test(careful) && !written.includes("%") ? [`<${careful}${suffix}>`] : [];
  return [...plain, ...(/[\s()]/.test(careful) ? [] : [careful + suffix]), encoded + suffix];
}

function referenceOf(target: string, page: string): LinkRef | null {
  const url = target.startsWith("<") ? target.slice(1, -1) : target;
  const resolved = isLocalUrl(url) ? resolveUrl(url, page) : null;
  return resolved === null ? null : parseRef(resolved);
}

function means(ref: LinkRef, path: string, old: LinkRef): boolean {
  return ref.path === path && JSON.stringify(ref.detail) === JSON.stringify(old.detail);
}

/** True where the changed link is still one link, where it stands. */
function reads(text: string, link: PageLink, edit: Edit): boolean {
  const changed = text.slice(link.start, edit.start) + edit.text + text.slice(edit.end, link.end);
  if (link.quote === "'" && edit.text.includes("'")) return false;
  if (link.quote === '"' && /["\\]/.test(edit.text)) return false;
  if (link.place === "attribute" && /[[\]]/.test(edit.text)) return false;
  const found = scanInline(changed);
  const [first] = found;
  return first?.from === 0 && first.to === changed.length &&
    first.kind === (link.kind === "wikilink" ? "wikilink" : "link");
}
