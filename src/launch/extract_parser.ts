/// <reference lib="deno.worker" />
/**
 * The worker of the child process that reads documents: the parsers run here, without any permission, while the child's main
 * thread watches over time and memory. Greets, is given one document, answers once.
 */

import "./extract_silence.ts";
import { readDocument } from "../documents/read_document.ts";
import { readRequest } from "./extract_outcome.ts";

self.addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  if (typeof data !== "object" || data === null || !("bytes" in data) || !("request" in data)) return;
  const request = readRequest(data.request);
  if (request === null || !(data.bytes instanceof Uint8Array)) return;
  self.postMessage({ outcome: await readDocument(data.bytes, request) });
});

// A promise inside a parser that nobody waits for says nothing about the answer.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

self.postMessage("hello");
