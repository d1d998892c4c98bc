/** The values in a page's frontmatter, as SilverBullet reads them (plugs/index/frontmatter.ts). */

import { locateFrontmatter } from "./frontmatter.ts";
import { countLines } from "../lines.ts";
import { isPlainMap, type PlainMap, readYaml } from "./yaml_values.ts";

export type FrontmatterValues =
  /** The page has no frontmatter. */
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly values: PlainMap }
  /** SilverBullet ignores such frontmatter silently. `line` is the page's, 1-based; `null` where no place is known. */
  | { readonly kind: "malformed"; readonly reason: string; readonly line: number | null };

export function readFrontmatter(text: string): FrontmatterValues {
  const place = locateFrontmatter(text);
  if (place === null) return { kind: "none" };
  const reading = readYaml(text.slice(place.yamlStart, place.yamlEnd));
  if (reading.kind === "malformed") {
    const line = reading.line === null ? null : countLines(text.slice(0, place.yamlStart)) + reading.line + 1;
    return { kind: "malformed", reason: reading.reason, line };
  }
  if (reading.value === null) return { kind: "read", values: {} };
  if (!isPlainMap(reading.value)) return { kind: "malformed", reason: "it is not a list of keys", line: 2 };
  return { kind: "read", values: reading.value };
}
