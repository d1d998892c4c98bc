/** The worker that fetches client documents: what its permissions allow, and what the real one answers. */

import assert from "node:assert/strict";
import { askDocuments } from "../../src/launch/document_port.ts";
import { startDocumentHost } from "../../src/launch/document_host.ts";
import { documentPermissions } from "../../src/launch/permissions.ts";
import { silentLogger } from "../../src/core/log.ts";
import { cites } from "../requirements.ts";
import { withProgram } from "../support/app.ts";
import { ownerSecret } from "../support/sign_in.ts";

async function tried(tries: Array<[string, string]>): Promise<Record<string, string>> {
  const worker = new Worker(new URL("../support/probe_documents.ts", import.meta.url), {
    type: "module",
    deno: { permissions: documentPermissions() },
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }) => data === "hello" ? worker.postMessage(tries) : resolve(data);
    });
  } finally {
    worker.terminate();
  }
}

Deno.test("the worker that fetches client documents can connect and do nothing else", async () => {
  cites("fence.worker");
  const outcomes = await tried([
    ["read a file", "/etc/passwd"],
    ["read a file", "/proc/self/environ"],
    ["read a file through node", "/etc/passwd"],
    ["list a folder", "/"],
    ["write a file", "/tmp/silverbridge-probe"],
    ["make a temporary folder", ""],
    ["open a database", "/tmp/silverbridge-probe.db"],
    ["read a variable", "HOME"],
    ["read every variable", ""],
    ["run a program", "true"],
    ["load a library", "libc.so.6"],
    ["ask for read", ""],
    ["start a worker that may read all", ""],
    ["start a worker that may run all", ""],
  ]);
  const allowed = Object.entries(outcomes).filter(([, outcome]) =>
    /^(?:allowed|no such attempt)$/.test(outcome)
  );
  assert.deepEqual(allowed, []);
  assert.equal(outcomes["read a file /etc/passwd"], "NotCapable");
});

Deno.test("the real document worker connects to no address that is not public, whatever a name resolves to", async () => {
  const host = startDocumentHost({ permissions: documentPermissions(), logger: silentLogger });
  await host.loaded;
  const port = host.port();
  try {
    const ask = askDocuments(port);
    for (const url of ["https://a.localhost/client.json", "https://no-such-name.invalid/client.json"]) {
      const answer = await ask(url);
      assert.ok(answer.kind === "failed", url);
      assert.ok(["private_address", "unresolved"].includes(answer.fault), `${url}: ${answer.fault}`);
    }
  } finally {
    port.close();
    host.end();
  }
});

Deno.test("the running server has no wider net with client documents than without", async () => {
  cites("fence.worker");
  const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    await withProgram({ env, script: ["tests/support/probe_main.ts"] }, async (program) => {
      await program.say(
        JSON.stringify({ to: "worker", tries: [["connect", `127.0.0.1 ${other.addr.port}`]] }),
      );
      await program.until(({ output }) => output.includes("\n"));
      assert.equal(JSON.parse(program.output.split("\n")[0] ?? "")["connect"], "NotCapable");
    });
  } finally {
    other.close();
  }
});
