/**
 * Where SilverBullet's routes are: every one below the base address, path prefix included, never with a double slash.
 *
 * A wrong join is not harmless: SilverBullet answers 200 and a web page for paths that it does not know.
 */

import { encodePagePath, type PagePath } from "../core/page_name.ts";

export interface Addresses {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly list: string;
  readonly ping: string;
  readonly config: string;
  readonly events: string;
  /** Without a slash at the end. */
  readonly revisions: string;
  file(path: PagePath): string;
}

/** Throws `TypeError` for anything but an absolute http or https address without credentials. */
export function parseAddresses(url: string): Addresses {
  const parsed = URL.parse(url);
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) {
    throw new TypeError("The SilverBullet address must be an absolute http or https address");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new TypeError("The SilverBullet address must not hold a user or password");
  }
  const prefix = parsed.pathname.replace(/\/{2,}/g, "/").replace(/\/+$/, "");
  const base = `${parsed.origin}${prefix}`;
  return {
    origin: parsed.origin,
    list: `${base}/.fs`,
    ping: `${base}/.ping`,
    config: `${base}/.config`,
    events: `${base}/.events`,
    revisions: `${base}/.revisions`,
    file: (path) => `${base}/.fs/${encodePagePath(path)}`,
  };
}
