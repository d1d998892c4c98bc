/**
 * Addresses of Markdown links: which stay inside the space, and which path they mean seen from a page (SilverBullet
 * plug-api/lib/resolve.ts).
 */

/** True for addresses that name something in the space. */
export function isLocalUrl(url: string): boolean {
  return !url.includes("://") && !url.startsWith("mailto:") && !url.startsWith("tel:");
}

/**
 * The reference that a local address means on the page at `page`, or `null` where it cannot be decoded.
 *
 * Percent-encoding is undone as `decodeURI` does. A leading slash counts from the root of the space; only leading
 * `..` are resolved, and those above the root are dropped.
 */
export function resolveUrl(url: string, page: string): string | null {
  const decoded = decodeUrl(url);
  if (decoded === null) return null;
  if (decoded.startsWith("/")) return decoded.slice(1);
  const folders = page.split("/").slice(0, -1);
  const parts = decoded.split("/");
  while (parts[0] === "..") {
    folders.pop();
    parts.shift();
  }
  return [...folders, ...parts].join("/");
}

/** The address of `path` relative to the folder of `page`. */
export function relativeUrl(path: string, page: string): string {
  const from = page.split("/").slice(0, -1);
  const to = path.split("/");
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

export function decodeUrl(url: string): string | null {
  try {
    return decodeURI(url);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
