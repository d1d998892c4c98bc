/**
 * Keeps what probing found, and forgets it when something speaks against it.
 *
 * One probe at a time, shared by everyone who waits; a failed one is not remembered.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { ServerKnowledge } from "./probe.ts";

export interface KnowledgeOptions {
  readonly probe: () => Promise<ServerKnowledge>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A proof of the conditional dialect older than this is renewed before the next change relies on it. */
const trustedMilliseconds = 10_000;
/** What is known is found out again after this long: servers are replaced behind their address. */
const knownMilliseconds = 300_000;

export class KnowledgeKeeper {
  readonly #options: KnowledgeOptions;
  #known: ServerKnowledge | null = null;
  #running: Promise<ServerKnowledge> | null = null;
  #provedAt = -Infinity;
  #probedAt = -Infinity;
  #generation = 0;
  #described = "";

  constructor(options: KnowledgeOptions) {
    this.#options = options;
  }

  /** What is known, probing if nothing is. Rejects with the signal's reason when that aborts first. */
  async get(signal?: AbortSignal): Promise<ServerKnowledge> {
    signal?.throwIfAborted();
    this.#forgetOlder(this.#probedAt, knownMilliseconds);
    if (this.#known !== null) return this.#known;
    this.#running ??= this.#probe();
    return await unlessAborted(this.#running, signal);
  }

  /** As `get`, but found or confirmed not longer ago than `milliseconds`. */
  async fresh(milliseconds: number): Promise<ServerKnowledge> {
    this.#forgetOlder(this.#provedAt, milliseconds);
    return await this.get();
  }

  /** What a change may rely on: the conditional dialect only while its proof is recent. */
  async forChange(): Promise<ServerKnowledge> {
    const known = await this.get();
    return known.facts.dialect === "conditional" ? await this.fresh(trustedMilliseconds) : known;
  }

  /** An answer just came that only the server as known gives. */
  confirm(): void {
    if (this.#known !== null) this.#provedAt = this.#options.clock.elapsed();
  }

  /** The next call probes again. */
  forget(reason: "broken" | "contradiction" | "old"): void {
    this.#generation++;
    if (this.#known === null) return;
    this.#known = null;
    if (reason === "contradiction") this.#options.logger.log("warn", "silverbullet_contradiction");
  }

  #forgetOlder(since: number, milliseconds: number): void {
    if (this.#known !== null && this.#options.clock.elapsed() - since > milliseconds) this.forget("old");
  }

  async #probe(): Promise<ServerKnowledge> {
    const generation = this.#generation;
    try {
      const found = await this.#options.probe();
      this.#describe(found);
      if (generation === this.#generation) {
        this.#known = found;
        this.#provedAt = this.#probedAt = this.#options.clock.elapsed();
      }
      return found;
    } finally {
      this.#running = null;
    }
  }

  #describe(found: ServerKnowledge): void {
    const { facts } = found;
    const description = JSON.stringify(found);
    if (description === this.#described) return;
    this.#described = description;
    this.#options.logger.log("info", "silverbullet_found", {
      version: facts.version,
      family: found.family,
      dialect: facts.dialect,
      read_only: facts.readOnly,
    });
    if (facts.openWithoutToken) {
      this.#options.logger.log("warn", "silverbullet_open_without_token", {
        text: "SilverBullet answers everyone although a token is configured: set SB_USER there",
      });
    }
  }
}

/** The promise's outcome, or a rejection as soon as the signal aborts; the promise itself goes on. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
