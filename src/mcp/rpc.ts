/** JSON-RPC refusals that never reach a method: the HTTP status, the code, and the word for it. */

export type RequestId = string | number;

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** JSON-RPC code. */
  readonly code: number;
  readonly message: string;
  /** The word that operators and tests go by, in `error.data.error`. */
  readonly word: string;
  readonly id?: RequestId | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

export function refuse({ status, code, message, word, id, headers }: Refusal): Response {
  const body = { jsonrpc: "2.0", id: id ?? null, error: { code, message, data: { error: word } } };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** A failure of a method, as the other end is told: thrown by methods, sent as a JSON-RPC error. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = "RpcFault";
    this.code = code;
    this.data = data;
  }
}
