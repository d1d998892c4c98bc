/**
 * One event for every registration, consent, token, refresh, revocation and refusal, and for what the owner does on the
 * page for it, for the owner's log.
 */

import type { Logger } from "../core/log.ts";

export type SignInAction =
  | "register"
  | "ask"
  | "approve"
  | "deny"
  | "token"
  | "refresh"
  | "revoke"
  | "end"
  /** On the owner's page: signing in to it, asking for the secret once more, signing out, a client's rights, passkeys. */
  | "enter"
  | "confirm"
  | "leave"
  | "change"
  | "passkey_add"
  | "passkey_remove";

export interface SignInEvent {
  readonly action: SignInAction;
  /** `ok`, or the internal reason. */
  readonly outcome: string;
  /** As the client calls itself. */
  readonly client?: string | null;
  /** The client's identifier, cut: an identifier may be long. */
  readonly clientId?: string | null;
  readonly grantId?: string | null;
  /** The address that it came from. */
  readonly source?: string;
  readonly requestId?: string;
}

export type SignInAudit = (event: SignInEvent) => void;

/** `noted` is told of every event besides. */
export function createSignInAudit(logger: Logger, noted: SignInAudit = () => {}): SignInAudit {
  return (event) => {
    const { action, outcome, client, clientId, grantId, source, requestId } = event;
    noted(event);
    const refused = outcome !== "ok";
    logger.log(refused ? "warn" : "info", "sign_in", {
      text: refused ? `[ERROR] sign-in action=${action} code=${outcome}` : `[SIGN-IN] action=${action}`,
      request: requestId,
      action,
      outcome,
      client: client === undefined || client === "" ? null : client,
      client_id: clientId === undefined || clientId === null ? null : shortened(clientId),
      grant: grantId,
      source,
    });
  };
}

/** The beginning of an identifier, which for a document is its address. */
export function shortened(clientId: string): string {
  const plain = clientId.replace(/[^\x21-\x7e]/g, "?");
  return plain.length <= 100 ? plain : `${plain.slice(0, 99)}…`;
}
