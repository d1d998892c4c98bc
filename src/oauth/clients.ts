/** Who a client identifier means: the one that the operator configured, one with a document, one that registered itself. */

import { sha256Hex } from "../core/secrets.ts";
import { type Client, shownName } from "./client.ts";
import { isDocumentId } from "./client_document.ts";
import type { Currency, Documents } from "./documents.ts";
import type { ShownReason } from "./reasons.ts";
import { registeredClient } from "./registered_id.ts";

export interface ConfiguredClient {
  readonly id: string;
  /** `null` for a public client. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
}

export interface ClientsOptions {
  /** Origin of this server: a document here would have it fetch from itself. */
  readonly origin: string;
  readonly configured: ConfiguredClient | null;
  readonly registration: boolean;
  /** `null`: documents are not accepted. */
  readonly documents: Documents | null;
}

export type ClientOutcome =
  | { readonly kind: "client"; readonly client: Client; readonly currency: Currency }
  | { readonly kind: "refused"; readonly reason: ShownReason };

/** What a client must show at `/token` and `/revoke`. */
export interface ClientCredentials {
  readonly id: string;
  /** SHA-256 in hex; `null` for a public client. */
  readonly secretHash: string | null;
}

export class Clients {
  readonly #options: ClientsOptions;
  readonly #configured: Client | null;

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#configured = options.configured === null ? null : configuredClient(options.configured);
  }

  /** For a sign-in: the client with its redirect addresses. `source`: the address that the wish came from. */
  async find(id: string, source: string): Promise<ClientOutcome> {
    if (this.#configured?.id === id) return found(this.#configured);
    if (isDocumentId(id)) {
      const { documents, origin } = this.#options;
      if (documents === null) return refused("client_documents_off");
      if (new URL(id).origin === origin) return refused("document_refused");
      return await documents.find(id, source);
    }
    const client = this.#options.registration ? registeredClient(id) : null;
    return client === null ? refused("client_unknown") : found(client);
  }

  /**
   * For a program that comes with a code or a token: `null` for an identifier that means nobody. What was approved before
   * a way to be known was switched off goes on.
   */
  credentials(id: string): ClientCredentials | null {
    if (this.#configured?.id === id) return this.#configured;
    if (isDocumentId(id)) return { id, secretHash: null };
    return registeredClient(id);
  }
}

function configuredClient({ id, secret, redirectUris }: ConfiguredClient): Client {
  const secretHash = secret === null ? null : sha256Hex(secret);
  return {
    id,
    standing: "configured",
    name: shownName(id),
    host: null,
    // Anything else cannot stand in a header.
    redirectUris: redirectUris.filter((uri) => /^[\x21-\x7e]+$/.test(uri)),
    secretHash,
    refreshes: true,
  };
}

function found(client: Client): ClientOutcome {
  return { kind: "client", client, currency: { kind: "current" } };
}

function refused(reason: ShownReason): ClientOutcome {
  return { kind: "refused", reason };
}
