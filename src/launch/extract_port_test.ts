import assert from "node:assert/strict";
import { defaultLimits, type DocumentOutcome, type DocumentRequest } from "../documents/outcome.ts";
import { askExtract, serveExtract } from "./extract_port.ts";
import type { ExtractTask } from "./extract_run.ts";

const request: DocumentRequest = { format: "pdf", pages: "2-3", sheet: null, limits: defaultLimits };
const text: DocumentOutcome = {
  ...{ kind: "text", format: "pdf", text: "[p.2] x", citations: [{ line: 1, location: "p.2" }], cut: "time" },
  ...{ next: "3", total: 3, notices: [{ code: "pages-without-text", count: 1 }] },
};

async function withPorts(
  read: (task: ExtractTask) => Promise<DocumentOutcome>,
  work: (server: MessagePort, worker: MessagePort) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  serveExtract(port2, read);
  try {
    await work(port1, port2);
  } finally {
    port1.close();
    port2.close();
  }
}

Deno.test("a question reaches the worker whole, its bytes are moved, and the outcome comes back", async () => {
  const seen: ExtractTask[] = [];
  await withPorts(async (task) => {
    seen.push(task);
    return text;
  }, async (port) => {
    const ask = askExtract(port);
    const bytes = new Uint8Array([1, 2, 3]);
    assert.deepEqual(await ask(bytes, request), text);
    assert.deepEqual(seen[0]?.request, request);
    assert.deepEqual([...seen[0]?.bytes ?? []], [1, 2, 3]);
    assert.equal(bytes.byteLength, 0);
  });
});

Deno.test("answers find their questions, whatever the order", async () => {
  const waiting = new Map<number, (outcome: DocumentOutcome) => void>();
  await withPorts(
    ({ bytes }) => new Promise((resolve) => waiting.set(bytes[0] ?? 0, resolve)),
    async (port) => {
      const ask = askExtract(port);
      const asked = [1, 2].map((number) => ask(new Uint8Array([number]), request));
      while (waiting.size < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      waiting.get(2)?.({ kind: "rejected", reason: "encrypted" });
      assert.deepEqual(await asked[1], { kind: "rejected", reason: "encrypted" });
      waiting.get(1)?.(text);
      assert.deepEqual(await asked[0], text);
    },
  );
});

Deno.test("a question that is taken back ends on both sides", async () => {
  const aborted = Promise.withResolvers<void>();
  await withPorts((task) => {
    task.signal.addEventListener("abort", () => aborted.resolve());
    return aborted.promise.then(() => ({ kind: "unavailable", reason: "closed" }));
  }, async (port) => {
    const controller = new AbortController();
    const asked = askExtract(port)(new Uint8Array(1), request, controller.signal);
    controller.abort();
    assert.deepEqual(await asked, { kind: "unavailable", reason: "closed" });
    await aborted.promise;
    assert.deepEqual(await askExtract(port)(new Uint8Array(1), request, AbortSignal.abort()), {
      kind: "unavailable",
      reason: "closed",
    });
  });
});

Deno.test("a worker that is silent, or says what is no outcome, counts as busy", async () => {
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => port2.postMessage({ id: data.id, outcome: { kind: "text", text: 1 } });
  try {
    assert.deepEqual(await askExtract(port1, 20)(new Uint8Array(1), request), {
      kind: "unavailable",
      reason: "busy",
    });
  } finally {
    port1.close();
    port2.close();
  }
});

Deno.test("a question without the shape of one is not passed on", async () => {
  let count = 0;
  await withPorts(async () => {
    count += 1;
    return text;
  }, async (port) => {
    const bytes = new Uint8Array(1);
    for (
      const wrong of [
        ...[null, "x", {}, { id: 1 }, { id: "1", bytes, request }, { id: 1, bytes: "x", request }],
        { id: 1, bytes, request: { ...request, format: "exe" } },
        { id: 1, bytes, request: { ...request, limits: { ...defaultLimits, maxChars: "many" } } },
        { id: 1, bytes, request: { ...request, limits: { ...defaultLimits, softMs: Number.NaN } } },
        { id: 1, bytes, request: { ...request, pages: 2 } },
      ]
    ) port.postMessage(wrong);
    assert.deepEqual(await askExtract(port)(new Uint8Array(1), request), text);
    assert.equal(count, 1);
  });
});
