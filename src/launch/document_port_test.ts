import assert from "node:assert/strict";
import type { FetchDocument } from "../oauth/document_fetch.ts";
import { askDocuments, serveDocuments } from "./document_port.ts";

async function withPorts(
  fetchDocument: FetchDocument,
  work: (ask: FetchDocument) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  serveDocuments(port2, fetchDocument);
  try {
    await work(askDocuments(port1));
  } finally {
    port1.close();
    port2.close();
  }
}

Deno.test("questions and answers find each other, whatever order they come in", async () => {
  const gates = new Map<string, () => void>();
  await withPorts(async (url) => {
    await new Promise<void>((resolve) => gates.set(url, resolve));
    return { kind: "document", text: url, maxAge: null };
  }, async (ask) => {
    const urls = ["https://a.example/1", "https://b.example/2", "https://c.example/3"];
    const answers = urls.map(ask);
    while (gates.size < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    for (const url of urls.toReversed()) gates.get(url)?.();
    const texts = (await Promise.all(answers)).map((answer) => answer.kind === "document" ? answer.text : "");
    assert.deepEqual(texts, urls);
  });
});

Deno.test("a fetch that breaks is a failed fetch", async () => {
  await withPorts(() => Promise.reject(new Error("bug")), async (ask) => {
    assert.deepEqual(await ask("https://a.example/1"), { kind: "failed", fault: "unreachable" });
  });
});

Deno.test("the worker fetches addresses of documents and nothing else, whatever it is sent", async () => {
  const asked: string[] = [];
  const { port1, port2 } = new MessageChannel();
  serveDocuments(port2, (url) => {
    asked.push(url);
    return Promise.resolve({ kind: "document", text: "{}", maxAge: null });
  });
  const answered = new Promise((resolve) => port1.onmessage = resolve);
  for (
    const message of [
      null,
      "https://a.example/1",
      { url: "https://a.example/1" },
      { id: 1, url: "http://a.example/1" },
      { id: 1, url: "https://127.0.0.1/1" },
      { id: 1, url: "file:///etc/passwd" },
      { id: 1, url: "https://a.example:22/1" },
      { id: "1", url: "https://a.example/1" },
      { id: 1, url: ["https://a.example/1"] },
      { id: 7, url: "https://good.example/1" },
    ]
  ) {
    port1.postMessage(message);
  }
  await answered;
  assert.deepEqual(asked, ["https://good.example/1"]);
  port1.close();
  port2.close();
});
