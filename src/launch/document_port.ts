/**
 * Asking for client documents across threads: the server asks over a port, the document worker answers over it.
 *
 * Neither side believes what it is sent: only texts of the expected shape count, and an answer that does not come in time
 * is a failed fetch.
 */

import { isDocumentId } from "../oauth/client_document.ts";
import type { DocumentAnswer, DocumentFault, FetchDocument } from "../oauth/document_fetch.ts";

const faults: readonly DocumentFault[] = [
  ...["unresolved", "private_address", "unreachable", "timeout", "redirected"] as const,
  ...["status", "not_json", "too_large", "malformed"] as const,
];
/** More than a fetch may take by itself. */
const patienceMs = 8000;

/** The worker's side. Answers at most one fetch for each question; refuses what is no document's address. */
export function serveDocuments(port: MessagePort, fetchDocument: FetchDocument): void {
  port.onmessage = async ({ data }: MessageEvent<unknown>) => {
    const question = readQuestion(data);
    if (question === null) return;
    const answer = await fetchDocument(question.url).catch((): DocumentAnswer => ({
      kind: "failed",
      fault: "unreachable",
    }));
    port.postMessage({ id: question.id, answer });
  };
}

/** The server's side. */
export function askDocuments(port: MessagePort): FetchDocument {
  const waiting = new Map<number, (answer: DocumentAnswer) => void>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const reply = readReply(data);
    if (reply !== null) waiting.get(reply.id)?.(reply.answer);
  };
  return (url) => {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<DocumentAnswer>();
    const timer = setTimeout(() => resolve({ kind: "failed", fault: "timeout" }), patienceMs);
    waiting.set(id, resolve);
    port.postMessage({ id, url });
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(id);
    });
  };
}

function readQuestion(data: unknown): { readonly id: number; readonly url: string } | null {
  if (typeof data !== "object" || data === null) return null;
  const { id, url }: { readonly id?: unknown; readonly url?: unknown } = data;
  return typeof id === "number" && typeof url === "string" && isDocumentId(url) ? { id, url } : null;
}

function readReply(data: unknown): { readonly id: number; readonly answer: DocumentAnswer } | null {
  if (typeof data !== "object" || data === null) return null;
  const { id, answer }: { readonly id?: unknown; readonly answer?: unknown } = data;
  if (typeof id !== "number" || typeof answer !== "object" || answer === null) return null;
  const { kind, text, maxAge, fault }: Readonly<
    Partial<Record<"kind" | "text" | "maxAge" | "fault", unknown>>
  > = answer;
  if (kind === "document" && typeof text === "string") {
    return { id, answer: { kind, text, maxAge: typeof maxAge === "number" ? maxAge : null } };
  }
  const known = faults.find((each) => each === fault);
  return known === undefined ? null : { id, answer: { kind: "failed", fault: known } };
}
