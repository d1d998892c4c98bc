/**
 * SilverBullet's file API, one method a request: builds it, checks that the answer is one, and reads its headers.
 *
 * No dialect, no repetition, no lock: a `get` here may be torn, a `put` may be lost. What to believe is decided above.
 */

import type { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { ContentHash, PageEntry } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Addresses } from "./addresses.ts";
import { failureOf, isFileAnswer, isMissing, saysOk } from "./answers.ts";
import { announcedSize, claimedHash, entryFromHeaders, type EntryRules } from "./entries.ts";
import { doing, LostAnswer, NotConnected } from "./failures.ts";
import type { Answer, Exchange, Transport } from "./transport.ts";

export interface WireFile {
  readonly entry: PageEntry;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the bytes as they came. */
  readonly hash: ContentHash;
  /** What the server says the hash is; may belong to another moment. */
  readonly claimed: ContentHash | null;
  /** The size that the server states for the whole file. */
  readonly announced: number | null;
}

export interface WireMeta {
  readonly entry: PageEntry;
  readonly claimed: ContentHash | null;
  readonly announced: number | null;
}

export interface Precondition {
  readonly ifMatch?: ContentHash;
  readonly ifNoneMatch?: "*";
}

/** A list as it came; read only when it is another than the one that is known already. */
export interface WireList {
  /** Of the bytes as they came: equal for equal lists. */
  readonly digest: ContentHash;
  /** Throws `upstream` when they are no list. */
  rows(): readonly unknown[];
}

/** How a change was answered. `answered` is anything that is neither success nor a failed precondition. */
export type ChangeAnswer =
  | {
    readonly kind: "ok";
    readonly entry: PageEntry;
    readonly claimed: ContentHash | null;
    readonly announced: number | null;
  }
  | { readonly kind: "precondition" }
  | { readonly kind: "answered"; readonly answer: Answer; readonly failure: AppError }
  | { readonly kind: "lost"; readonly failure: LostAnswer };

export interface WireOptions {
  readonly transport: Transport;
  readonly addresses: Addresses;
  readonly clientId: string;
  readonly timeouts: { readonly read: number; readonly write: number; readonly list: number };
  readonly maxFileBytes: number;
  /** Told of every exchange that broke: what is known of the server may have ended with it. */
  readonly onBroken: () => void;
}

const maxListBytes = 64 * 1024 * 1024;
const maxConfigBytes = 256 * 1024;

export class Wire {
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Throws `upstream`. */
  async list(signal?: AbortSignal): Promise<WireList> {
    const { addresses, timeouts } = this.#options;
    const what = "list the pages";
    const answer = await this.#fetch({
      url: addresses.list,
      timeout: timeouts.list,
      maxBytes: maxListBytes,
      doing: what,
      ...withSignal(signal),
    });
    if (answer.status !== 200) throw failureOf(answer, what, addresses.origin);
    return {
      digest: sha256Hex(answer.body),
      rows() {
        const rows = parseJson(answer);
        if (!Array.isArray(rows)) throw failureOf(answer, what, addresses.origin);
        return rows;
      },
    };
  }

  /** `null`: the server says that there is no such file. */
  async get(path: PagePath, rules: EntryRules, signal?: AbortSignal): Promise<WireFile | null> {
    const { timeouts, maxFileBytes } = this.#options;
    const answer = await this.#file(path, {
      timeout: timeouts.write,
      maxBytes: maxFileBytes,
      ...withSignal(signal),
    });
    if (answer === null) return null;
    const { headers, body } = answer;
    const entry = { ...entryFromHeaders(path, headers, rules), size: body.length };
    return {
      entry,
      bytes: body,
      hash: sha256Hex(body),
      claimed: claimedHash(headers),
      announced: announcedSize(headers),
    };
  }

  /** `full` makes newer servers hash the file for an `ETag`; without it they answer from the directory alone. */
  async meta(
    path: PagePath,
    rules: EntryRules,
    call: { readonly full?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<WireMeta | null> {
    const answer = await this.#file(path, {
      timeout: this.#options.timeouts.read,
      maxBytes: 4096,
      cut: true,
      headers: { "X-Get-Meta": call.full ? "true" : "cheap" },
      ...withSignal(call.signal),
    });
    if (answer === null) return null;
    const { headers } = answer;
    return {
      entry: entryFromHeaders(path, headers, rules),
      claimed: claimedHash(headers),
      announced: announcedSize(headers),
    };
  }

  put(
    path: PagePath,
    bytes: Uint8Array<ArrayBuffer>,
    change: { readonly rules: EntryRules; readonly condition?: Precondition },
  ): Promise<ChangeAnswer> {
    return this.#change(path, { method: "PUT", body: bytes, ...change });
  }

  /** The entry of an `ok` is empty of meaning: a delete answers no metadata. */
  delete(
    path: PagePath,
    change: { readonly rules: EntryRules; readonly condition?: Precondition },
  ): Promise<ChangeAnswer> {
    return this.#change(path, { method: "DELETE", ...change });
  }

  /** `/.config` as an object, or the answer that came instead. */
  async config(
    call: { readonly credentials: boolean; readonly signal?: AbortSignal },
  ): Promise<{ readonly config: Readonly<Record<string, unknown>> | null; readonly answer: Answer }> {
    const answer = await this.#fetch({
      url: this.#options.addresses.config,
      timeout: this.#options.timeouts.read,
      maxBytes: maxConfigBytes,
      cut: true,
      doing: "ask SilverBullet for its settings",
      credentials: call.credentials,
      ...withSignal(call.signal),
    });
    const value = answer.status === 200 ? parseJson(answer) : null;
    const config = typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Readonly<Record<string, unknown>>
      : null;
    return { config, answer };
  }

  ping(signal?: AbortSignal): Promise<Answer> {
    return this.#fetch({
      url: this.#options.addresses.ping,
      timeout: this.#options.timeouts.read,
      maxBytes: 4096,
      cut: true,
      doing: "ask SilverBullet for its version",
      ...withSignal(signal),
    });
  }

  /** The failure that an answer stands for. */
  failure(answer: Answer, what: string): AppError {
    return failureOf(answer, what, this.#options.addresses.origin);
  }

  async #file(
    path: PagePath,
    how: Pick<Exchange, "timeout" | "maxBytes" | "cut" | "headers" | "signal">,
  ): Promise<Answer | null> {
    const what = doing(how.headers === undefined ? "read" : "look at", path);
    const answer = await this.#fetch({
      ...how,
      url: this.#options.addresses.file(path),
      doing: what,
      headers: { ...how.headers, "Accept-Encoding": "identity", "Cache-Control": "no-cache" },
    });
    if (isMissing(answer)) return null;
    if (!isFileAnswer(answer)) throw this.failure(answer, what);
    return answer;
  }

  /** A reading request; one that broke on a connection from the pool is sent once more. */
  async #fetch(exchange: Omit<Exchange, "method">): Promise<Answer> {
    const { transport, onBroken } = this.#options;
    try {
      return await transport.send({ ...exchange, method: "GET" });
    } catch (error) {
      if (!(error instanceof NotConnected) && !(error instanceof LostAnswer)) throw error;
      onBroken();
      if (!(error instanceof LostAnswer) || error.timedOut) throw error;
    }
    return await transport.send({ ...exchange, method: "GET" });
  }

  /** A changing request: sent once, never interrupted by a caller, never repeated here. */
  async #change(
    path: PagePath,
    change: {
      readonly method: "PUT" | "DELETE";
      readonly body?: Uint8Array<ArrayBuffer>;
      readonly rules: EntryRules;
      readonly condition?: Precondition;
    },
  ): Promise<ChangeAnswer> {
    const { transport, addresses, clientId, timeouts, onBroken } = this.#options;
    const what = doing(change.method === "PUT" ? "write" : "delete", path);
    let answer: Answer;
    try {
      answer = await transport.send({
        method: change.method,
        url: addresses.file(path),
        timeout: timeouts.write,
        maxBytes: 4096,
        cut: true,
        doing: what,
        headers: {
          "X-Client-Id": clientId,
          "X-Source": "external",
          ...(change.method === "PUT" ? { "Content-Type": "application/octet-stream" } : {}),
          ...preconditionHeaders(change.condition),
        },
        ...(change.body === undefined ? {} : { body: change.body }),
      });
    } catch (error) {
      if (error instanceof NotConnected || error instanceof LostAnswer) onBroken();
      if (error instanceof LostAnswer) return { kind: "lost", failure: error };
      throw error;
    }
    if (answer.status === 412) return { kind: "precondition" };
    if (!saysOk(answer) || (change.method === "PUT" && !isFileAnswer(answer))) {
      return { kind: "answered", answer, failure: this.failure(answer, what) };
    }
    const { headers } = answer;
    return {
      kind: "ok",
      entry: entryFromHeaders(path, headers, change.rules),
      claimed: claimedHash(headers),
      announced: announcedSize(headers),
    };
  }
}

function preconditionHeaders(condition: Precondition | undefined): Record<string, string> {
  if (condition?.ifMatch !== undefined) return { "If-Match": `"sha256:${condition.ifMatch}"` };
  return condition?.ifNoneMatch === undefined ? {} : { "If-None-Match": condition.ifNoneMatch };
}

function parseJson(answer: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    return null;
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
