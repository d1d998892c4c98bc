/** The last requests that reached the embedded server, oldest first; bounded, so that a long demonstration stays small. */

export interface LoggedRequest {
  readonly method: string;
  /** The request target as it came over the wire. */
  readonly target: string;
  /** Lower-case names. The token is never kept: only whether there was one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorized: boolean;
  readonly status: number;
}

const keptRequests = 20_000;

export class RequestLog {
  #entries: LoggedRequest[] = [];

  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > keptRequests) this.#entries = this.#entries.slice(-keptRequests / 2);
  }

  all(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Requests that could have changed something: everything but GET, HEAD and OPTIONS. */
  changing(): readonly LoggedRequest[] {
    return this.#entries.filter((entry) => !["GET", "HEAD", "OPTIONS"].includes(entry.method));
  }

  clear(): void {
    this.#entries = [];
  }
}
