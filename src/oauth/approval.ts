/** What the owner approved: which client, where it is sent back to, what it asked for and what it was given. */

import { type Consent, parseConsent } from "./consent.ts";
import type { Client, Standing } from "./client.ts";
import type { Scope } from "./scopes.ts";

export interface Approval {
  readonly client: ApprovedClient;
  readonly redirectUri: string;
  readonly asked: Scope;
  readonly consent: Consent;
  /** The resource that its tokens are for. */
  readonly resource: string;
  /** A refresh token comes with the access token. */
  readonly refreshes: boolean;
}

export interface ApprovedClient {
  readonly id: string;
  readonly name: string;
  readonly standing: Standing;
  readonly host: string | null;
}

export interface ApprovalParts {
  readonly client: Client;
  readonly redirectUri: string;
  readonly asked: Scope;
  readonly consent: Consent;
  readonly resource: string;
}

export function approve({ client, redirectUri, asked, consent, resource }: ApprovalParts): Approval {
  const { id, name, standing, host } = client;
  const refreshes = client.refreshes || asked.offline;
  return { client: { id, name, standing, host }, redirectUri, asked, consent, resource, refreshes };
}

/** What a token of this approval may be told that it is for. */
export function grantedScope({ asked, consent }: Approval): Scope {
  return { write: consent.write && asked.write, offline: asked.offline };
}

export function approvalText(approval: Approval): string {
  return JSON.stringify(approval);
}

/** Throws where the state file holds something else. */
export function parseApproval(text: string): Approval {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new TypeError("A kept approval is no object");
  const { client, redirectUri, asked, consent, resource, refreshes }: Partial<
    Record<keyof Approval, unknown>
  > = value;
  if (typeof redirectUri !== "string" || typeof resource !== "string" || typeof refreshes !== "boolean") {
    throw new TypeError("A kept approval is malformed");
  }
  return {
    client: parseClient(client),
    redirectUri,
    asked: parseScope(asked),
    consent: parseConsent(consent),
    resource,
    refreshes,
  };
}

function parseClient(value: unknown): ApprovedClient {
  if (typeof value !== "object" || value === null) throw new TypeError("A kept approval has no client");
  const { id, name, standing, host }: Partial<Record<keyof ApprovedClient, unknown>> = value;
  const known = (["document", "registered", "configured"] as const).find((each) => each === standing);
  if (typeof id !== "string" || typeof name !== "string" || known === undefined) {
    throw new TypeError("A kept approval has a malformed client");
  }
  return { id, name, standing: known, host: typeof host === "string" ? host : null };
}

function parseScope(value: unknown): Scope {
  if (typeof value !== "object" || value === null) throw new TypeError("A kept approval has no scope");
  const { write, offline }: Partial<Record<keyof Scope, unknown>> = value;
  return { write: write === true, offline: offline === true };
}
