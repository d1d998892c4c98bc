/**
 * An address that a browser may be sent to: one that the client has, checked for this very request.
 *
 * Only `verify()` makes one, and only what goes to one can be a redirect, so that an answer before that check has no
 * way to send anybody anywhere.
 */

import type { Client } from "./client.ts";
import { type KnownHost, knownHost } from "./known_hosts.ts";
import { returnedError, type ReturnedReason } from "./reasons.ts";
import { isRegisteredRedirect, type RedirectPlace, redirectPlace } from "./redirect_uri.ts";

export interface RedirectContext {
  /** As it came; `null` where none came or it is not fit to be given back. */
  readonly state: string | null;
  /** Sent along with success and error (RFC 9207). */
  readonly issuer: string;
}

export class VerifiedRedirect {
  readonly uri: string;
  readonly place: RedirectPlace;
  /** Who is behind the place, where that is known. */
  readonly known: KnownHost | null;
  readonly #context: RedirectContext;

  private constructor(uri: string, context: RedirectContext) {
    this.uri = uri;
    this.place = redirectPlace(uri);
    this.known = this.place.kind === "site" ? knownHost(this.place.host) : null;
    this.#context = context;
  }

  /** `null` where the client does not have that address. */
  static verify(client: Client, uri: string, context: RedirectContext): VerifiedRedirect | null {
    return isRegisteredRedirect(uri, client.redirectUris) ? new VerifiedRedirect(uri, context) : null;
  }

  /** Where the browser goes with the code. */
  withCode(code: string): string {
    return this.#with({ code });
  }

  /** Where the browser goes with an error. */
  withError(reason: ReturnedReason): string {
    const { error, description } = returnedError(reason);
    return this.#with({ error, error_description: description });
  }

  #with(parameters: Readonly<Record<string, string>>): string {
    const { state, issuer } = this.#context;
    const added = new URLSearchParams({ ...parameters, ...(state === null ? {} : { state }), iss: issuer });
    return `${this.uri}${this.uri.includes("?") ? "&" : "?"}${added}`;
  }
}
