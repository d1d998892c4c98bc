/**
 * Asks for the owner's secret: counts the try, judges it, and says how it came out.
 *
 * Judging a hashed secret takes memory and time, so that only one is judged at once and few wait for it; browsers that
 * are known have a line of their own, so that strangers cannot crowd them out.
 */

import type { KeptPassphrase } from "../core/secrets.ts";
import type { OwnerPasses } from "./owner_passes.ts";
import type { OwnerTries } from "./owner_tries.ts";

export type SecretOutcome =
  | { readonly kind: "right" }
  /** `left`: tries before the next wait; 0 means that the wait has begun. `seconds`: that wait. */
  | { readonly kind: "wrong"; readonly left: number; readonly seconds: number }
  | { readonly kind: "locked"; readonly seconds: number }
  /** Too many are being judged; the try was not counted. */
  | { readonly kind: "busy" };

export interface SecretTry {
  readonly secret: string;
  /** The caller's address or network. */
  readonly address: string;
  /** The cookie of a browser that got in before; `null` without one. */
  readonly browserPass: string | null;
  /** A code from `silverbridge owner unlock`; empty without one. */
  readonly unlockCode: string;
}

export interface OwnerSecretOptions {
  readonly kept: KeptPassphrase;
  readonly tries: OwnerTries;
  readonly passes: OwnerPasses;
}

const maxWaiting = 8;
const maxSecretLength = 1024;

export class OwnerSecret {
  readonly #options: OwnerSecretOptions;
  readonly #strangers = new Line();
  readonly #known = new Line();

  constructor(options: OwnerSecretOptions) {
    this.#options = options;
  }

  async try({ secret, ...rest }: SecretTry): Promise<SecretOutcome> {
    const { tries, kept } = this.#options;
    const { source, own } = this.sourceOf(rest);
    const line = own ? this.#known : this.#strangers;
    if (line.length >= maxWaiting) return { kind: "busy" };
    const begun = tries.begin(source, { own });
    if (begun.kind === "wait") return { kind: "locked", seconds: begun.seconds };
    const right = secret.length <= maxSecretLength && await line.wait(() => kept.matches(secret));
    if (!right) return { kind: "wrong", left: begun.left, seconds: tries.wait(source) };
    tries.succeeded(source);
    return { kind: "right" };
  }

  /** Seconds for which no try of this caller counts; 0: none. */
  wait(caller: Omit<SecretTry, "secret">): number {
    return this.#options.tries.wait(this.sourceOf(caller).source);
  }

  /** Under which name this caller's tries are counted. */
  sourceOf({ address, browserPass, unlockCode }: Omit<SecretTry, "secret">): {
    readonly source: string;
    readonly own: boolean;
  } {
    const { passes } = this.#options;
    const own = (unlockCode === "" ? null : passes.sourceOfUnlock(unlockCode)) ??
      (browserPass === null ? null : passes.sourceOf(browserPass));
    return own === null ? { source: `address:${address}`, own: false } : { source: own, own: true };
  }
}

/** One after the other. */
class Line {
  length = 0;
  #last: Promise<unknown> = Promise.resolve();

  async wait<T>(work: () => Promise<T>): Promise<T> {
    this.length += 1;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.length -= 1;
    }
  }
}
