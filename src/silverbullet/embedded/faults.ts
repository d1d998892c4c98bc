/**
 * Faults that a test switches on in an embedded server: what slow disks, full disks, proxies, other writers and broken
 * connections do to the exchange. Without any, nothing here changes a byte.
 */

import type { ServerResponse } from "node:http";
import type { Clock } from "../../core/clock.ts";
import type { EmbeddedFiles } from "./files.ts";
import type { Exchange, Interposer, StoreBytes } from "./interposer.ts";
import { bareReply, htmlReply, type Reply } from "./reply.ts";

export type Fault =
  /** While a body is stored, the file is empty for `ms`; only then the content arrives. */
  | { readonly kind: "empty_window"; readonly ms: number }
  /** Two writers at once: `other` (by another hand) and the body end up mixed; the answer tells the other's size. */
  | { readonly kind: "mixed_write"; readonly other: string }
  /** A read answers empty, with headers that agree. */
  | { readonly kind: "torn_read" }
  /** A read answers the first half, with headers that agree. */
  | { readonly kind: "half_read" }
  /** The body arrives in pieces over `ms`. */
  | { readonly kind: "slow_body"; readonly ms: number }
  /** The head and half of the body arrive, then nothing. */
  | { readonly kind: "stalled_body" }
  /** Nothing at all is answered for `ms`, then the plain answer. */
  | { readonly kind: "slow_answer"; readonly ms: number }
  | { readonly kind: "status"; readonly status: number; readonly html?: boolean; readonly body?: string }
  /** A login page of another site, by redirection. */
  | { readonly kind: "login_redirect" }
  /** The wizard of a server that nobody set up. */
  | { readonly kind: "setup_redirect" }
  /** Any page with 200 where data was asked for. */
  | { readonly kind: "html_page" }
  /** The disk is full: `keep` bytes are stored, the old content is gone, 500. */
  | { readonly kind: "short_write"; readonly keep: number }
  /** `keep` bytes are stored and the answer says that all is well. */
  | { readonly kind: "silent_short_write"; readonly keep: number }
  /** Answers 200 `OK` and stores nothing. */
  | { readonly kind: "silent_drop" }
  /** The connection breaks before anything is done. */
  | { readonly kind: "reset" }
  /** The change is made, then the connection breaks. */
  | { readonly kind: "lost_answer" }
  /** The change is made, then a proxy answers 502. */
  | { readonly kind: "lost_to_proxy" }
  /** Another hand at work, before the request is looked at or after the answer is made. */
  | {
    readonly kind: "hand";
    readonly when: "before" | "after";
    readonly act: (files: EmbeddedFiles) => void;
  };

export interface FaultSwitch {
  readonly fault: Fault;
  /** `GET`, `META` (GET for metadata), `LIST`, `PUT`, `DELETE`, `OTHER` (every other route); default: any. */
  readonly verb?: "GET" | "META" | "LIST" | "PUT" | "DELETE" | "OTHER";
  /** Only this file, or with `OTHER` this route such as `/.config`. */
  readonly path?: string;
  /** How often; default 1. `Infinity` until cleared. */
  readonly times?: number;
  /** How many matching requests pass untouched first. */
  readonly skip?: number;
}

interface ArmedFault {
  readonly how: FaultSwitch;
  left: number;
  skip: number;
}

export class Faults implements Interposer {
  #armed: ArmedFault[] = [];
  /** The fault of a request in progress, so that one request meets one fault at every stage. */
  readonly #current = new WeakMap<Exchange, Fault[]>();
  readonly #files: EmbeddedFiles;
  readonly #clock: Clock;
  #stop = new AbortController();

  constructor(files: EmbeddedFiles, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
  }

  add(how: FaultSwitch): void {
    this.#armed.push({ how, left: how.times ?? 1, skip: how.skip ?? 0 });
  }

  /** Switches everything off and ends what is waiting. */
  clear(): void {
    this.#armed = [];
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  async arriving(exchange: Exchange): Promise<Reply | "cut" | null> {
    for (const fault of this.#take(exchange)) {
      if (fault.kind === "hand" && fault.when === "before") fault.act(this.#files);
      if (fault.kind === "slow_answer") await this.#wait(fault.ms);
      if (fault.kind === "reset") return "cut";
      const reply = insteadOf(fault);
      if (reply !== null) return reply;
    }
    return null;
  }

  async storing(
    exchange: Exchange,
    bytes: Uint8Array<ArrayBuffer>,
    store: StoreBytes,
  ): Promise<Reply | null> {
    for (const fault of this.#current.get(exchange) ?? []) {
      if (fault.kind === "empty_window") {
        store(new Uint8Array());
        await this.#wait(fault.ms);
      }
      if (fault.kind === "mixed_write") {
        const other = new TextEncoder().encode(fault.other);
        const half = Math.floor(Math.min(bytes.length, other.length) / 2);
        store(new Uint8Array([...bytes.subarray(0, half), ...other.subarray(half)]));
        return null;
      }
      if (fault.kind === "short_write") {
        store(bytes.slice(0, fault.keep));
        return bareReply(500, "Could not write file: No space left on device");
      }
      if (fault.kind === "silent_short_write") {
        store(bytes.slice(0, fault.keep));
        return okAnswer(bytes.length, this.#clock);
      }
      if (fault.kind === "silent_drop") return okAnswer(bytes.length, this.#clock);
    }
    store(bytes);
    return null;
  }

  async answering(exchange: Exchange, reply: Reply): Promise<Reply | "cut"> {
    let answer = reply;
    for (const fault of this.#current.get(exchange) ?? []) {
      if (fault.kind === "hand" && fault.when === "after") fault.act(this.#files);
      if (fault.kind === "lost_answer") return "cut";
      if (fault.kind === "lost_to_proxy") answer = badGateway();
      if (fault.kind === "torn_read") answer = shortened(answer, 0);
      if (fault.kind === "half_read") answer = shortened(answer, Math.floor(bodyOf(answer).length / 2));
    }
    return await Promise.resolve(answer);
  }

  async sending(exchange: Exchange, reply: Reply, response: ServerResponse): Promise<boolean> {
    for (const fault of this.#current.get(exchange) ?? []) {
      if (fault.kind !== "slow_body" && fault.kind !== "stalled_body") continue;
      const body = bodyOf(reply);
      const half = Math.floor(body.length / 2);
      response.writeHead(reply.status, { ...reply.headers, "Content-Length": String(body.length) });
      response.write(body.subarray(0, half));
      if (fault.kind === "stalled_body") return true;
      await this.#wait(fault.ms);
      response.end(body.subarray(half));
      return true;
    }
    return false;
  }

  #take(exchange: Exchange): Fault[] {
    const taken: Fault[] = [];
    for (const armed of this.#armed) {
      if (armed.left <= 0 || !matches(armed.how, exchange)) continue;
      if (armed.skip > 0) {
        armed.skip--;
        continue;
      }
      armed.left--;
      taken.push(armed.how.fault);
    }
    if (taken.length > 0) this.#current.set(exchange, taken);
    return taken;
  }

  async #wait(ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#stop.signal).catch(() => {});
  }
}

function matches(how: FaultSwitch, exchange: Exchange): boolean {
  if (how.verb !== undefined && how.verb !== verbOf(exchange)) return false;
  if (how.path === undefined) return true;
  return how.path === (exchange.path ?? exchange.route.split("?")[0]);
}

function verbOf(exchange: Exchange): FaultSwitch["verb"] {
  if (exchange.path === null) return "OTHER";
  if (exchange.path === "") return "LIST";
  if (exchange.method === "GET") return exchange.meta ? "META" : "GET";
  return exchange.method === "PUT" ? "PUT" : exchange.method === "DELETE" ? "DELETE" : "OTHER";
}

function insteadOf(fault: Fault): Reply | null {
  switch (fault.kind) {
    case "status":
      return fault.html
        ? htmlReply(fault.status, `<html><body>${fault.body ?? "Something went wrong"}</body></html>`)
        : bareReply(fault.status, fault.body ?? "failed at /srv/embedded/space/secret.md");
    case "login_redirect":
      return { status: 302, headers: { Location: "https://login.example.com/sign-in?rd=notes" }, body: "" };
    case "setup_redirect":
      return { status: 307, headers: { Location: "/.setup/" }, body: "" };
    case "html_page":
      return htmlReply(200, "<!DOCTYPE html><html><body>Please sign in</body></html>");
    default:
      return null;
  }
}

function badGateway(): Reply {
  return htmlReply(502, "<html><body><h1>502 Bad Gateway</h1></body></html>");
}

function okAnswer(length: number, clock: Clock): Reply {
  const headers = {
    "X-Last-Modified": String(Math.floor(clock.now())),
    "X-Content-Length": String(length),
    "X-Permission": "rw",
  };
  return { status: 200, headers, body: "OK" };
}

/** The reply with a shorter body and headers that agree with it. */
function shortened(reply: Reply, length: number): Reply {
  if (reply.status !== 200) return reply;
  const { ETag: _etag, "X-SilverBullet-Revision": _revision, ...headers } = reply.headers;
  const isMeta = reply.body === "";
  return {
    status: 200,
    headers: { ...headers, "X-Content-Length": String(length) },
    body: isMeta ? "" : bodyOf(reply).slice(0, length),
  };
}

function bodyOf(reply: Reply): Uint8Array<ArrayBuffer> {
  return typeof reply.body === "string" ? new TextEncoder().encode(reply.body) : reply.body;
}
