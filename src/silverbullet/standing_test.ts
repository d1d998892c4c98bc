import assert from "node:assert/strict";
import { parsePageName } from "../core/page_name.ts";
import type { PageContent } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";
import { standingOf } from "./standing.ts";

const path = parsePageName("Page").path;

function content(text: string | null): PageContent | null {
  if (text === null) return null;
  const bytes = new TextEncoder().encode(text);
  const entry = { path, size: bytes.length, modified: 1, created: null, contentType: "", readOnly: false };
  return { entry, bytes, hash: sha256Hex(bytes) };
}

Deno.test("standingOf() tells our own half-written bytes from what was there and from another hand", () => {
  const cases: readonly [now: string | null, before: string | null, sent: string, standing: string][] = [
    ["new", "old", "new", "own"],
    ["old", "old", "new", "before"],
    ["same", "same", "same", "own"],
    [null, null, "new", "before"],
    [null, "old", "new", "gone"],
    ["", "old", "new", "short"],
    ["ne", "old", "new", "short"],
    ["", null, "new", "short"],
    ["old", "old", "old and more", "before"],
    ["", "", "new", "before"],
    ["old", null, "old and more", "short"],
    ["other", "old", "new", "other"],
    ["new and more", "old", "new", "other"],
    ["nEw", "old", "new", "other"],
  ];
  for (const [now, before, sent, standing] of cases) {
    const bytes = new TextEncoder().encode(sent);
    const found = standingOf(content(now), content(before), { bytes, hash: sha256Hex(bytes) });
    assert.equal(found, standing, JSON.stringify([now, before, sent]));
  }
});
