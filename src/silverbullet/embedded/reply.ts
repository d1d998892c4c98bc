/** What the embedded server's routes answer, before anything goes over the wire. */

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | string;
}

export function textReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers }, body: text };
}

/** A body without a content type, as Rust servers send errors. */
export function bareReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: text };
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(value) };
}

export function htmlReply(status: number, html: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "Content-Type": "text/html; charset=utf-8", ...headers }, body: html };
}
