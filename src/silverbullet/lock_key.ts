/** The name under which a page is locked while it is changed; spellings that a disk may take for one file share it. */

import type { PagePath } from "../core/page_name.ts";

export function lockKey(path: PagePath): string {
  return `silverbullet:${path.normalize("NFC").toLowerCase()}`;
}
