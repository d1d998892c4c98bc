/** Documents through the running program: real launcher, real permissions, a client on the other side. */

import assert from "node:assert/strict";
import { extractCommand, extractPermissions } from "../../src/launch/extract_command.ts";
import { cites } from "../requirements.ts";
import { mcpRequest, type Program, withProgram } from "../support/app.ts";
import { hostileDocuments } from "../support/hostile_documents.ts";
import { makeDocx, makePptx, makeXlsx, paragraph, shape, textRow } from "../support/office_maker.ts";
import { makeTextPdf } from "../support/pdf_maker.ts";

/** Twenty times what it takes alone. */
const watchdogMs = 60_000;

async function withFolder(
  files: Readonly<Record<string, Uint8Array>>,
  work: (program: Program) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    for (const [name, bytes] of Object.entries(files)) Deno.writeFileSync(`${folder}/${name}`, bytes);
    await withProgram({ env: { SILVERBRIDGE_ROOTS: `docs=${await Deno.realPath(folder)}` } }, work);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readFile(
  program: Program,
  path: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const params = { name: "read_file", arguments: { root: "docs", path, ...more } };
  const response = await fetch(mcpRequest(program.url, { method: "tools/call", params }));
  const { result } = await response.json();
  return result.content.at(-1).text;
}

/** Processes that a process has started and that are there still. */
function childrenOf(pid: number): number[] {
  const found: number[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (/^\d+$/.test(name) && parentOf(name) === pid) found.push(Number(name));
  }
  return found;
}

/** `null` for a process that is gone, or that only waits for its parent to notice. */
function parentOf(pid: string): number | null {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return /^State:\s*Z/m.test(status) ? null : Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  } catch {
    return null;
  }
}

async function eventually(found: () => boolean, what: string): Promise<void> {
  const end = performance.now() + watchdogMs;
  while (!found()) {
    assert.ok(performance.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const slow = hostileDocuments.find(({ name }) => name === "3,000 pages")?.make() ?? new Uint8Array();

Deno.test("each format is read through the running program, with its citations and selections", async () => {
  cites("documents.text", "documents.fence");
  const files = {
    "a.pdf": makeTextPdf(["One", "Two"]),
    "b.docx": makeDocx(paragraph("Three")),
    "c.pptx": makePptx([{ shapes: shape(["Four"]), notes: shape(["Five"], "body") }]),
    "d.xlsx": makeXlsx([{ name: "S", rows: textRow(3, ["6", "7"]) }]),
    "e.docx": new TextEncoder().encode("no document"),
  };
  await withFolder(files, async (program) => {
    const content = async (path: string, more = {}) =>
      JSON.parse(await readFile(program, path, more)).content;
    assert.equal(await content("a.pdf"), "[p.1] One\n[p.2] Two");
    assert.equal(await content("a.pdf", { pages: "2" }), "[p.2] Two");
    assert.equal(await content("b.docx"), "[¶1] Three");
    assert.equal(await content("c.pptx"), "[slide 1] Four\n[slide 1 notes] Five");
    assert.equal(await content("d.xlsx", { sheet: "S" }), "[S!3-3] 6\t7");
    const refused = JSON.parse(await readFile(program, "e.docx"));
    assert.deepEqual([refused.error, refused.detail], ["archive-rejected", "damaged"]);
    assert.deepEqual(childrenOf(program.pid), []);
    assert.match(program.log, /"event":"source_is_no_fence"/);
  });
});

Deno.test("a hostile document ends alone: the server answers meanwhile and afterwards", async () => {
  cites("documents.bounds");
  const bomb = hostileDocuments.find(({ name }) => name === "a page that unpacks to 1 GB")?.make() ??
    new Uint8Array();
  await withFolder(
    { "bomb.pdf": bomb, "slow.pdf": slow, "good.docx": makeDocx(paragraph("Good")) },
    async (program) => {
      const bombed = readFile(program, "bomb.pdf");
      await eventually(() => childrenOf(program.pid).length > 0, "no child was started");
      const health = await fetch(`${program.url}/healthz`);
      assert.deepEqual(await health.json(), { ok: true });
      const { error, detail } = JSON.parse(await bombed);
      assert.equal(error, "archive-rejected");
      assert.ok(["too-much-memory", "too-slow"].includes(detail), detail);
      assert.equal(JSON.parse(await readFile(program, "good.docx")).content, "[¶1] Good");
      assert.deepEqual(childrenOf(program.pid), []);
    },
  );
});

Deno.test("no more than two children run at once, however many ask", async () => {
  cites("documents.bounds");
  await withFolder({ "a.docx": makeDocx(paragraph("A")) }, async (program) => {
    let most = 0;
    const timer = setInterval(() => most = Math.max(most, childrenOf(program.pid).length), 5);
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, () => readFile(program, "a.docx")));
      for (const answer of answers) assert.equal(JSON.parse(answer).content, "[¶1] A");
    } finally {
      clearInterval(timer);
    }
    assert.ok(most >= 1 && most <= 2, `${most} children`);
  });
});

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test(`after ${signal} in the middle of a document no child is left`, async () => {
    cites("documents.bounds");
    await withFolder({ "slow.pdf": slow }, async (program) => {
      const reading = readFile(program, "slow.pdf").catch(() => "");
      await eventually(() => childrenOf(program.pid).length > 0, "no child was started");
      const children = childrenOf(program.pid);
      program.kill(signal);
      await program.ended();
      await reading;
      await eventually(() => children.every((pid) => parentOf(String(pid)) === null), "a child is left");
    });
  });
}

Deno.test("the worker that starts children may start this program's file and do nothing else", async () => {
  cites("documents.fence");
  const tries: Array<[string, string]> = [
    ["read a file", "/etc/passwd"],
    ["read a file through node", "/etc/passwd"],
    ["list a folder", "/"],
    ["write a file", "/tmp/silverbridge-probe"],
    ["connect", "127.0.0.1 9"],
    ["fetch", "http://127.0.0.1:9/"],
    ["listen", "127.0.0.1 0"],
    ["read a variable", "HOME"],
    ["read every variable", ""],
    ["run a program", "/bin/true"],
    ["run a program", "true"],
    ["run a program through node", "/bin/sh"],
    ["load a library", "libc.so.6"],
    ["learn the host's name", ""],
    ["ask for run", ""],
    ["start a worker that may run all", ""],
    ["start a worker that may read all", ""],
  ];
  const worker = new Worker(new URL("../support/probe_documents.ts", import.meta.url), {
    type: "module",
    deno: { permissions: extractPermissions(extractCommand()) },
  });
  try {
    const outcomes: Record<string, string> = await new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }) => data === "hello" ? worker.postMessage(tries) : resolve(data);
    });
    const allowed = Object.entries(outcomes).filter(([, said]) => /^(?:allowed|no such attempt)$/.test(said));
    assert.deepEqual(allowed, []);
    assert.equal(outcomes["run a program /bin/true"], "NotCapable");
  } finally {
    worker.terminate();
  }
});
