/**
 * Every refusal of the gates: its stable code, status and one fixed sentence. Nothing a caller sent is repeated.
 *
 * The code strings are those that callers of personal-mcp-bridge match on; a missing or bad bearer is 401 here.
 */

import { baseHeaders } from "../web/respond.ts";

/** Clients show these words to people who gave them a wrong address. */
const mcpAddress = "the one for MCP clients ends in /mcp";

const refusals = {
  "bad-request": { status: 400, message: "The request is not well-formed HTTP/1.1" },
  "headers-too-large": { status: 431, message: "The request has too many or too large headers" },
  "server-busy": { status: 503, message: "The server has too much in hand; try again shortly" },
  "rate-limited": { status: 429, message: "Too many requests; wait as long as Retry-After says" },
  "host-not-allowed": {
    status: 403,
    message:
      "This server does not answer under that host name; its log names the setting that would allow it",
  },
  "origin-not-allowed": { status: 403, message: "Requests from web pages of that origin are not accepted" },
  "token-in-url-refused": {
    status: 403,
    message: "Tokens belong in the Authorization header, never in the address; treat this one as leaked",
  },
  "not-found": { status: 404, message: "There is nothing at this address", hint: mcpAddress },
  "no-sign-in": {
    status: 404,
    message: "Clients do not sign in to this server",
    hint: "if it wants a token, they send that as `Authorization: Bearer …`",
  },
  "no-folders": {
    status: 404,
    message: "This server has no folders; SILVERBRIDGE_ROOTS names those that it may read",
  },
  "no-owner-page": { status: 404, message: "This server has no page for its owner" },
  "invalid-token": {
    status: 401,
    message: "Send a valid token as `Authorization: Bearer …`",
  },
  "rights-too-narrow": { status: 403, message: "This is for callers who may read every page" },
  "remote-without-token": {
    status: 403,
    message: "This server runs without a token and answers callers on its own machine only",
  },
  "generic /call is localhost-only": {
    status: 403,
    message:
      "POST /call is for callers on the server's own machine, and not on a public server; others use GET",
  },
  "method-not-allowed": {
    status: 405,
    message: "This address does not know that method",
    hint: `${mcpAddress} and takes POST`,
  },
  "unsupported-encoding": { status: 415, message: "Send the body without a Content-Encoding" },
  "unsupported-form": { status: 415, message: "Send the form as application/x-www-form-urlencoded" },
  "unsupported-media-type": { status: 415, message: "Send the body as application/json, in UTF-8" },
  "invalid-json": { status: 400, message: "The body is not JSON, or is JSON that can be read in two ways" },
  "json-object-required": { status: 400, message: "The body must be one JSON object" },
  "unknown-tool": { status: 400, message: "There is no folder tool of that name" },
  "invalid-content-length": { status: 400, message: "The Content-Length is not a number of bytes" },
  "request-body-too-large": { status: 413, message: "The request body is larger than this server accepts" },
  "internal-error": { status: 500, message: "The server failed on this request; its log has the incident" },
} as const satisfies Readonly<Record<string, Sentence>>;

interface Sentence {
  readonly status: number;
  readonly message: string;
  /** What a program's user needs besides; left out where a person looks at a page. */
  readonly hint?: string;
}

export type RefusalCode = keyof typeof refusals;

export interface RefusalExtras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly incident?: string;
}

/** A finished answer that also knows why it refuses, for the log and for pages. */
export class Refusal extends Response {
  readonly code: RefusalCode;
  readonly incident: string | null;

  constructor(code: RefusalCode, extras: RefusalExtras) {
    const { status } = refusals[code];
    const message = worded(refusals[code]);
    const { incident } = extras;
    const body = incident === undefined ? { error: code, message } : { error: code, message, incident };
    super(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...baseHeaders, ...extras.headers },
    });
    this.code = code;
    this.incident = incident ?? null;
  }

  /** The fixed sentence of the body, without the hint for users of programs. */
  get sentence(): string {
    return refusals[this.code].message;
  }
}

export function refuse(code: RefusalCode, extras: RefusalExtras = {}): Refusal {
  return new Refusal(code, extras);
}

/** Code and sentence of a refusal, for the generated reference. */
export function refusalTable(): ReadonlyArray<readonly [string, { status: number; message: string }]> {
  return Object.entries<Sentence>(refusals)
    .map(([code, sentence]) => [code, { status: sentence.status, message: worded(sentence) }]);
}

function worded({ message, hint }: Sentence): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
