/** Documents that want to harm their reader, through the real child process: each has an outcome, and nothing is left. */

import assert from "node:assert/strict";
import { documentFormats, type DocumentOutcome } from "../../src/documents/outcome.ts";
import { extractCommand } from "../../src/launch/extract_command.ts";
import { ExtractPool } from "../../src/launch/extract_pool.ts";
import { createExtractRun } from "../../src/launch/extract_run.ts";
import { cites } from "../requirements.ts";
import { childrenNow, documentRequest } from "../support/extract.ts";
import { hostileDocuments, noise } from "../support/hostile_documents.ts";

/** Twenty times what the slowest took alone. */
const watchdogMs = 60_000;

function said(outcome: DocumentOutcome): string {
  return outcome.kind === "rejected" ? outcome.reason : outcome.kind;
}

async function withPool(work: (pool: ExtractPool) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const command = extractCommand();
  const pool = new ExtractPool(createExtractRun({ ...command, env: { ...command.env, TMPDIR: folder } }));
  const open = () => [...Deno.readDirSync("/proc/self/fd")].length;
  const before = open();
  try {
    await work(pool);
    assert.deepEqual(childrenNow(), []);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    assert.ok(open() <= before, `${open()} files are open, ${before} were`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("every hostile document has its own outcome, in time", async (t) => {
  await withPool(async (pool) => {
    for (const { name, format, make, outcomes } of hostileDocuments) {
      await t.step(name, async () => {
        cites("documents.bounds");
        const bytes = make();
        const start = performance.now();
        const outcome = await pool.read({
          bytes,
          request: documentRequest(format),
          signal: AbortSignal.timeout(watchdogMs),
        });
        assert.ok(outcomes.includes(said(outcome)), `${said(outcome)} after ${performance.now() - start} ms`);
        if (outcome.kind === "text") assert.doesNotMatch(outcome.text, /root:|submitForm/);
      });
    }
  });
});

Deno.test("200 hostile documents in a row leave no process, no file and no open pipe", async () => {
  cites("documents.bounds");
  const cheap = hostileDocuments.filter(({ name }) =>
    !/ GB$|200 MB|million paragraphs|900 slides|3,000 pages/.test(name)
  );
  const made = cheap.map(({ format, make, outcomes }) => ({ format, bytes: make(), outcomes }));
  const all = Array.from({ length: 200 }, (_, index) => {
    const known = made[index % made.length];
    if (index % 3 === 0 || known === undefined) {
      const format = documentFormats[index % 4] ?? "pdf";
      return { format, bytes: noise(1000 + index * 37, index), outcomes: ["damaged"] };
    }
    const isCut = index % 3 === 1 && known.bytes.length > 100;
    const bytes = isCut
      ? known.bytes.slice(0, Math.floor(known.bytes.length * (index % 7) / 8))
      : known.bytes.slice();
    return { format: known.format, bytes, outcomes: isCut ? null : known.outcomes };
  });
  await withPool(async (pool) => {
    for (let index = 0; index < all.length; index += 20) {
      await Promise.all(
        all.slice(index, index + 20).map(async ({ format, bytes, outcomes }) => {
          const outcome = await pool.read({
            bytes,
            request: documentRequest(format),
            signal: AbortSignal.timeout(watchdogMs),
          });
          assert.notEqual(outcome.kind, "unavailable");
          assert.notDeepEqual(outcome, { kind: "rejected", reason: "crashed" });
          if (outcomes !== null) assert.ok(outcomes.includes(said(outcome)), said(outcome));
        }),
      );
    }
  });
});
