/**
 * Asking for the text of documents across threads: the server hands bytes over a port, the worker that may start a child
 * answers over it. Bytes are moved, not copied.
 */

import type { DocumentOutcome, DocumentRequest, ReadDocument } from "../documents/outcome.ts";
import { readOutcome, readRequest } from "./extract_outcome.ts";
import type { RunExtract } from "./extract_run.ts";

/** More than everything that waits before it may take. */
const patienceMs = 120_000;

/** The worker's side. A question may be taken back by its id. */
export function serveExtract(port: MessagePort, read: RunExtract): void {
  const wanted = new Map<number, AbortController>();
  port.onmessage = async ({ data }: MessageEvent<unknown>) => {
    const question = readQuestion(data);
    if (question === null) return;
    if ("unwanted" in question) return wanted.get(question.id)?.abort();
    const { id, bytes, request } = question;
    const controller = new AbortController();
    wanted.set(id, controller);
    const outcome = await read({ bytes, request, signal: controller.signal });
    wanted.delete(id);
    port.postMessage({ id, outcome });
  };
}

/** The server's side. Answers `unavailable` where the other side is gone or nobody waits any more. */
export function askExtract(port: MessagePort, patience: number = patienceMs): ReadDocument {
  const waiting = new Map<number, (outcome: DocumentOutcome) => void>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { id, outcome } = fieldsOf(data);
    const found = readOutcome(outcome);
    if (typeof id === "number" && found !== null) waiting.get(id)?.(found);
  };
  return (bytes, request, signal) => {
    if (signal?.aborted) return Promise.resolve({ kind: "unavailable", reason: "closed" });
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<DocumentOutcome>();
    const takeBack = (reason: "busy" | "closed") => {
      port.postMessage({ id, unwanted: true });
      resolve({ kind: "unavailable", reason });
    };
    const onAbort = () => takeBack("closed");
    const timer = setTimeout(() => takeBack("busy"), patience);
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.set(id, resolve);
    port.postMessage({ id, bytes, request }, [bytes.buffer]);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      waiting.delete(id);
    });
  };
}

type Question =
  | { readonly id: number; readonly unwanted: true }
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly request: DocumentRequest };

function readQuestion(data: unknown): Question | null {
  const { id, bytes, request: given, unwanted } = fieldsOf(data);
  if (typeof id !== "number") return null;
  if (unwanted === true) return { id, unwanted };
  const request = readRequest(given);
  return request !== null && isBytes(bytes) ? { id, bytes, request } : null;
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
