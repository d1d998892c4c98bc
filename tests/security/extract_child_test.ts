/** The child process that reads documents: what it may do, and how it ends when it does not end by itself. */

import assert from "node:assert/strict";
import { createExtractRun } from "../../src/launch/extract_run.ts";
import { cites } from "../requirements.ts";
import { childrenNow, documentRequest, order, probeCommand, readInChild } from "../support/extract.ts";
import { makeTextPdf } from "../support/pdf_maker.ts";

const forbidden: ReadonlyArray<readonly [string, string]> = [
  ["read a file", "/etc/passwd"],
  ["read a file", "/proc/self/environ"],
  ["read a file at once", "/proc/self/maps"],
  ["read a file through node", "/etc/passwd"],
  ["stat a file", "/etc/passwd"],
  ["list a folder", "/"],
  ["list a folder through node", "/"],
  ["fetch a file", "/etc/passwd"],
  ["open a database", "/tmp/silverbridge-probe.db"],
  ["attach a database", "/tmp/silverbridge-probe.db"],
  ["write a file", "/tmp/silverbridge-probe"],
  ["write a file through node", "/tmp/silverbridge-probe"],
  ["make a folder", "/tmp/silverbridge-probe-folder"],
  ["make a temporary folder", ""],
  ["make a symbolic link", "/etc/passwd /tmp/silverbridge-probe-link"],
  ["fetch", "http://127.0.0.1:9/"],
  ["connect", "127.0.0.1 9"],
  ["connect through node", "127.0.0.1 9"],
  ["request through node", "http://127.0.0.1:9/"],
  ["open a websocket", "ws://127.0.0.1:9/"],
  ["resolve a name", "localhost"],
  ["listen", "127.0.0.1 0"],
  ["listen on a unix socket", "/tmp/silverbridge-probe.sock"],
  ["read a variable", "HOME"],
  ["read every variable", ""],
  ["run a program", Deno.execPath()],
  ["run a program through node", Deno.execPath()],
  ["signal another process", "1"],
  ["load a library", "libc.so.6"],
  ["learn the host's name", ""],
  ["ask for read", "/etc"],
  ["ask for all net", ""],
  ["ask for run", ""],
  ["start a worker that may read all", ""],
  ["start a worker that may run all", ""],
  ["start a worker that may reach", "127.0.0.1:9"],
];

function refusals(outcomes: Readonly<Record<string, string>>): void {
  assert.equal(Object.keys(outcomes).length, forbidden.length);
  const allowed = Object.entries(outcomes).filter(([, said]) => /^(?:allowed|no such attempt)$/.test(said));
  assert.deepEqual(allowed, []);
  for (
    const name of ["read a file /etc/passwd", "write a file /tmp/silverbridge-probe", "connect 127.0.0.1 9"]
  ) {
    assert.equal(outcomes[name], "NotCapable", name);
  }
}

Deno.test("the parsers of a document are refused everything", async () => {
  cites("documents.fence");
  const outcome = await order({ tries: forbidden });
  assert.ok(outcome.kind === "unselectable");
  refusals(JSON.parse(outcome.message));
});

Deno.test("the child's own thread is refused everything before it reads the document", async () => {
  cites("documents.fence");
  const { program, args, env } = probeCommand(forbidden);
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    let text = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.endsWith("\n")) break;
    }
    refusals(JSON.parse(text));
  } finally {
    await child.stdin.close();
    await child.status;
  }
});

Deno.test("a parser that never returns is killed, and its document is too slow", async () => {
  cites("documents.bounds");
  assert.deepEqual(await order({ spin: true }, { softMs: 100, graceMs: 900 }), {
    kind: "rejected",
    reason: "too-slow",
  });
  assert.deepEqual(childrenNow(), []);
});

for (const eat of ["buffers", "heap"] as const) {
  Deno.test(`a parser that takes all memory as ${eat} ends by itself`, async () => {
    cites("documents.bounds");
    const outcome = await order({ eat }, { softMs: 20_000, graceMs: 10_000 });
    assert.deepEqual(outcome, { kind: "rejected", reason: "too-much-memory" });
    assert.deepEqual(childrenNow(), []);
  });
}

Deno.test("a reading that nobody wants any more is killed at once", async () => {
  cites("documents.bounds");
  const controller = new AbortController();
  const reading = order({ spin: true }, { signal: controller.signal, softMs: 20_000, graceMs: 20_000 });
  controller.abort();
  assert.deepEqual(await reading, { kind: "unavailable", reason: "closed" });
  assert.deepEqual(childrenNow(), []);
});

Deno.test("what a child says counts only in the shape of an outcome", async () => {
  cites("documents.fence");
  const crashed = { kind: "rejected", reason: "crashed" };
  for (
    const say of [
      null,
      "text",
      {},
      { outcome: null },
      { outcome: { kind: "text" } },
      { outcome: { kind: "rejected", reason: "because" } },
      {
        outcome: {
          kind: "text",
          format: "docx",
          text: 1,
          citations: [],
          cut: null,
          next: null,
          total: 0,
          notices: [],
        },
      },
    ]
  ) assert.deepEqual(await order({ say }), crashed, JSON.stringify(say));
  const extra = { kind: "unselectable", message: "No", secret: "x", __proto__: { other: 1 } };
  assert.deepEqual(await order({ say: { outcome: extra } }), { kind: "unselectable", message: "No" });
});

Deno.test("a parser that throws where nobody catches is a crash of its own document", async () => {
  cites("documents.bounds");
  assert.deepEqual(await order({ fail: true }), { kind: "rejected", reason: "crashed" });
});

Deno.test("a child whose parent goes away ends itself, even while its parser spins", async () => {
  cites("documents.bounds");
  const { program, args, env } = probeCommand();
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const head = new TextEncoder().encode(JSON.stringify(documentRequest("docx")));
  const body = new TextEncoder().encode(JSON.stringify({ spin: true }));
  for (const part of [head, body]) {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.byteLength, true);
    await writer.write(length);
    await writer.write(part);
  }
  await writer.close();
  // Half of the life that it would have without noticing, and a hundred times what noticing takes.
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, 15_000);
  const { signal } = await child.status;
  clearTimeout(timer);
  assert.deepEqual([signal, isLate], ["SIGKILL", false]);
});

Deno.test("a child that cannot be started at all is a crash, not a fault of the server", async () => {
  const run = createExtractRun({ program: Deno.execPath(), args: ["--no-such-flag"], env: {} });
  const { signal } = new AbortController();
  const outcome = await run({ bytes: new Uint8Array(3_000_000), request: documentRequest("pdf"), signal });
  assert.deepEqual(outcome, { kind: "rejected", reason: "crashed" });
});

Deno.test("a child whose parser cannot be loaded ends at once", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["eval", "--unstable-worker-options"],
      `import { runExtractChild } from ${
        JSON.stringify(new URL("../../src/launch/extract_child.ts", import.meta.url).href)
      };
      const startParser = () => new Worker("data:text/javascript,throw new Error()", { type: "module" });
      Deno.exit(await runExtractChild({ startParser }));`,
    ],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const { code } = await child.status;
  await child.stdin.close().catch(() => {});
  assert.equal(code, 1);
});

Deno.test("a real child reads a document and leaves nothing behind", async () => {
  cites("documents.bounds");
  const outcome = await readInChild(makeTextPdf(["One", "Two"]), documentRequest("pdf"));
  assert.ok(outcome.kind === "text");
  assert.equal(outcome.text, "[p.1] One\n[p.2] Two");
  assert.deepEqual(childrenNow(), []);
});
