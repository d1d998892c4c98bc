/**
 * Who may look at the owner's page: asks for the owner's secret, and knows the browsers that were let in.
 *
 * The same count of tries as on the page where a client is approved: there is one secret, and one way to guess it.
 */

import type { Asked, OwnerPasskeys } from "./owner_passkeys.ts";
import type { OwnerPasses } from "./owner_passes.ts";
import type { OwnerSecret, SecretOutcome } from "./owner_secret.ts";
import type { OwnerSession, OwnerSessions } from "./owner_sessions.ts";
import type { SignInAction, SignInAudit } from "./sign_in_audit.ts";
import type { MadeFields, UsedFields } from "./passkey_response.ts";
import { isStateFailure } from "./state_failure.ts";

/** Who is at the door. */
export interface DoorCall {
  /** The caller's address or network. */
  readonly address: string;
  /** The cookie of a browser that got in before; `null` without one. */
  readonly browserPass: string | null;
  readonly requestId: string;
}

export interface Typed {
  readonly secret: string;
  /** A code from `silverbridge owner unlock`; empty without one. */
  readonly unlockCode: string;
}

/** Why the owner is asked again. */
export type DoorProblem =
  | Exclude<SecretOutcome, { readonly kind: "right" }>
  /** What was typed was right, but it could not be noted that somebody is in. */
  | { readonly kind: "unwritable" }
  /** That passkey does not count here, or its answer is not to what this page asked. */
  | { readonly kind: "passkey" };

export interface Entered {
  readonly kind: "in";
  /** The cookie of the new session. */
  readonly session: string;
  /** A pass for a browser that had none. */
  readonly browserPass: string | null;
}

export interface OwnerDoorOptions {
  readonly owner: OwnerSecret;
  readonly passes: OwnerPasses;
  readonly sessions: OwnerSessions;
  /** `null` where browsers make none for this server's address. */
  readonly passkeys: OwnerPasskeys | null;
  readonly audit: SignInAudit;
}

export class OwnerDoor {
  readonly sessions: OwnerSessions;
  readonly passkeys: OwnerPasskeys | null;
  readonly #options: OwnerDoorOptions;

  constructor(options: OwnerDoorOptions) {
    this.#options = options;
    this.sessions = options.sessions;
    this.passkeys = options.passkeys;
  }

  /** Seconds for which no try of this caller counts; 0: none. */
  wait({ address, browserPass }: DoorCall): number {
    return this.#options.owner.wait({ address, browserPass, unlockCode: "" });
  }

  /** Lets a browser in. */
  async enter(call: DoorCall, typed: Typed): Promise<Entered | DoorProblem> {
    return await this.#asking("enter", call, async () => {
      const outcome = await this.#judge(call, typed);
      return outcome.kind === "right" ? this.#admitted(call) : outcome;
    });
  }

  /** The same with a passkey. There is nothing to guess, so that nobody has to wait. */
  async enterByPasskey(call: DoorCall, fields: UsedFields, asked: Asked): Promise<Entered | DoorProblem> {
    return await this.#asking(
      "enter",
      call,
      async () =>
        await this.passkeys?.use(fields, asked) === true
          ? this.#admitted(call)
          : { kind: "passkey" as const },
    );
  }

  /** Takes a new passkey, if the secret was typed with it. `null`: it counts from now on. */
  async addPasskey(
    call: DoorCall,
    typed: Typed,
    { fields, asked }: { readonly fields: MadeFields & { readonly name: string }; readonly asked: Asked },
  ): Promise<DoorProblem | null> {
    const outcome = await this.#asking("passkey_add", call, async () => {
      const judged = await this.#judge(call, typed);
      if (judged.kind !== "right") return judged;
      return await this.passkeys?.add(fields, asked) === true ? judged : { kind: "passkey" as const };
    });
    return outcome.kind === "right" ? null : outcome;
  }

  removePasskey(call: DoorCall, id: string): void {
    if (this.passkeys?.remove(id) === true) this.#note("passkey_remove", call, "ok");
  }

  /** Asks for the secret once more, before something that not every open browser should do. `null`: it was right. */
  async confirm(call: DoorCall, typed: Typed): Promise<DoorProblem | null> {
    const outcome = await this.#asking("confirm", call, () => this.#judge(call, typed));
    return outcome.kind === "right" ? null : outcome;
  }

  /** The session of that cookie; `null` where nobody is in, or nobody knows. */
  find(cookie: string | null): OwnerSession | null {
    try {
      return this.sessions.find(cookie);
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      return null;
    }
  }

  leave(call: DoorCall, cookie: string): void {
    this.sessions.end(cookie);
    this.#note("leave", call, "ok");
  }

  #admitted({ browserPass }: DoorCall): Entered {
    const { passes } = this.#options;
    const isKnown = browserPass !== null && passes.sourceOf(browserPass) !== null;
    return {
      kind: "in",
      session: this.sessions.begin(),
      browserPass: isKnown ? null : passes.giveBrowser(),
    };
  }

  #judge({ address, browserPass }: DoorCall, typed: Typed): Promise<SecretOutcome> {
    return this.#options.owner.try({ ...typed, address, browserPass });
  }

  async #asking<T extends { readonly kind: string }>(
    action: SignInAction,
    call: DoorCall,
    ask: () => Promise<T>,
  ): Promise<T | { readonly kind: "unwritable" }> {
    try {
      const outcome = await ask();
      const isIn = outcome.kind === "in" || outcome.kind === "right";
      this.#note(action, call, isIn ? "ok" : reasonOf(outcome.kind));
      return outcome;
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      this.#note(action, call, "state_unwritable");
      return { kind: "unwritable" };
    }
  }

  #note(action: SignInAction, { address, requestId }: DoorCall, outcome: string): void {
    this.#options.audit({ action, outcome, source: address, requestId });
  }
}

function reasonOf(kind: string): string {
  return kind === "passkey" ? "passkey_refused" : `secret_${kind}`;
}
