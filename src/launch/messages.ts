/**
 * What the launcher and the server worker say to each other.
 *
 * The worker speaks first: a message that arrives before it listens would be lost.
 */

import type { Config } from "../config/config.ts";
import type { ConnectionBudget } from "./descriptors.ts";

/** Where callers come from: a port, or the client at the other end of standard input and output. */
export type Transport = "http" | "stdio";

export type ToServer =
  | {
    readonly kind: "init";
    readonly config: Config;
    readonly connections: ConnectionBudget;
    readonly transport: Transport;
    /** To the worker that fetches client documents; `null` where there is none. */
    readonly documents: MessagePort | null;
    /** To the worker that reads documents in child processes; `null` where no folder is served. */
    readonly extract: MessagePort | null;
  }
  | { readonly kind: "ping"; readonly beat: number }
  /** Finish what is in hand within that time, then say `stopped`. */
  | { readonly kind: "stop"; readonly graceMs: number };

export type FromServer =
  | { readonly kind: "hello" }
  | { readonly kind: "listening"; readonly port: number }
  /** Standard input is read. */
  | { readonly kind: "serving" }
  /** The server cannot start; both texts are for the operator. */
  | { readonly kind: "refused"; readonly refusal: StartRefusal }
  | { readonly kind: "pong"; readonly beat: number }
  | { readonly kind: "stopped"; readonly finished: boolean }
  /** The server cannot go on; why is in the log. */
  | { readonly kind: "failed" };

export interface StartRefusal {
  readonly message: string;
  readonly remedy: string;
  /** True when trying again later may help: then the exit code is that of a dead server. */
  readonly passing: boolean;
}

export function isFromServer(data: unknown): data is FromServer {
  return hasKind(data, ["hello", "listening", "serving", "refused", "pong", "stopped", "failed"]);
}

export function isToServer(data: unknown): data is ToServer {
  return hasKind(data, ["init", "ping", "stop"]);
}

function hasKind(data: unknown, kinds: readonly string[]): boolean {
  return typeof data === "object" && data !== null && "kind" in data && typeof data.kind === "string" &&
    kinds.includes(data.kind);
}
