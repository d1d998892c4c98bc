import assert from "node:assert/strict";
import type { Clock } from "../core/clock.ts";
import type { LogFields } from "../core/log.ts";
import { createQuietLog } from "./quiet_log.ts";

Deno.test("quiet log says a few lines of each kind a minute and counts the rest", () => {
  let now = 0;
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() };
  const lines: Array<[string, LogFields]> = [];
  const logger = {
    log: (_level: string, event: string, fields: LogFields = {}) => void lines.push([event, fields]),
    incident: () => "",
  };
  const quiet = createQuietLog({ logger, clock, perMinute: 2 });
  const say = (key: string) => quiet({ level: "info", event: "fault", key, fields: { key } });
  for (let round = 0; round < 5; round++) say("tls");
  say("junk");
  assert.deepEqual(lines.map(([, fields]) => fields["key"]), ["tls", "tls", "junk"]);
  now += 60_000;
  say("tls");
  assert.deepEqual(lines.at(-1)?.[1], { key: "tls", unlogged_before: 3 });
  now += 60_000;
  say("tls");
  assert.deepEqual(lines.at(-1)?.[1], { key: "tls" });
});
