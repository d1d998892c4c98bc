import assert from "node:assert/strict";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { type SpaceChange, watchEvents } from "./events.ts";

/** What is told of one stream that sends these events and ends. */
async function tellAll(events: readonly unknown[]): Promise<readonly (SpaceChange | "resync")[]> {
  const told: (SpaceChange | "resync")[] = [];
  const stop = new AbortController();
  const text = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
  await watchEvents({
    fetch: () => Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } })),
    url: "http://127.0.0.1:1/.events",
    token: null,
    clientId: "me",
    clock: systemClock,
    logger: silentLogger,
    onBroken: () => stop.abort(),
  }, {
    changed: (change) => told.push(change),
    resync: () => told.push("resync"),
    live: () => {},
  }, stop.signal);
  return told;
}

Deno.test("watchEvents() leaves out what is no file of the space, and survives what is no event", async () => {
  const change = { name: "Page.md", action: "change", lastModified: 1 };
  const told = await tellAll([
    "not json",
    "null",
    "7",
    '"text"',
    "[]",
    {},
    { ...change, name: 7 },
    { ...change, name: "" },
    { ...change, name: "../outside.md" },
    { ...change, name: ".hidden.md" },
    { ...change, name: "back\\slash.md" },
    { ...change, action: "renamed" },
    { ...change, action: "delete", name: "A folder" },
    { ...change, action: "delete", name: "a.b/folder" },
    { ...change, revision: "none", origin: 7 },
    { ...change, revision: { hash: "short" }, origin: { clientId: "someone" } },
    { ...change, revision: { hash: "A".repeat(64) }, origin: { clientId: "me" } },
    { ...change, action: "delete", revision: { hash: "a".repeat(64) } },
    { name: "", action: "resync", lastModified: 0 },
  ]);
  const plain = { path: "Page.md", action: "change", hash: null, own: false };
  assert.deepEqual(told, [
    "resync",
    plain,
    plain,
    { ...plain, hash: "a".repeat(64), own: true },
    { ...plain, action: "delete" },
    "resync",
  ]);
});
