/**
 * Client documents as this server has them: fetched when needed, kept for a while, and used beyond that while their host
 * is down. An hour of outage at one vendor must not keep an owner from signing in.
 */

import { type Clock, toleratedStep } from "../core/clock.ts";
import { createLimiter, type Limiter } from "../core/limiter.ts";
import type { Logger } from "../core/log.ts";
import { numberColumn, textColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { builtInClient } from "./built_in_documents.ts";
import type { Client } from "./client.ts";
import { readClientDocument } from "./client_document.ts";
import type { FetchDocument } from "./document_fetch.ts";
import { isStateFailure } from "./state_failure.ts";

/** How current what is known of a client is. */
export type Currency =
  | { readonly kind: "current" }
  /** The document could not be had now: this is what it said then. */
  | { readonly kind: "earlier"; readonly fetched: number }
  /** The document could not be had, now or ever: this is the program's own copy. */
  | { readonly kind: "built_in" };

export type DocumentOutcome =
  | { readonly kind: "client"; readonly client: Client; readonly currency: Currency }
  | {
    readonly kind: "refused";
    readonly reason: "document_unreachable" | "document_refused" | "document_busy";
  };

export interface DocumentsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch: FetchDocument;
}

const shortestMs = 5 * 60_000;
const longestMs = 24 * 3_600_000;
/** Where the host says nothing. */
const usualMs = 3_600_000;
/** A copy is used so long after it was had, whatever its host does. */
const outageMs = 30 * 86_400_000;
/** A failed fetch is not tried again before. */
const restMs = 60_000;
const maxKept = 500;
const maxFailures = 1000;
const perSourceAMinute = 10;
const inAllAMinute = 60;

type Fetched = Client | "document_unreachable" | "document_refused";

export class Documents {
  readonly #options: DocumentsOptions;
  readonly #perSource: Limiter;
  readonly #inAll: Limiter;
  readonly #fetching = new Map<string, Promise<Fetched>>();
  readonly #failures = new Map<string, { readonly at: number; readonly reason: Exclude<Fetched, Client> }>();
  readonly #statements;

  constructor(options: DocumentsOptions) {
    const { clock, state } = options;
    this.#options = options;
    this.#perSource = createLimiter({ perMinute: perSourceAMinute, maxKeys: 4096, clock });
    this.#inAll = createLimiter({ perMinute: inAllAMinute, maxKeys: 1, clock });
    this.#statements = prepare(state);
  }

  /** The client of the document at `id`. `source`: the address that the wish came from. */
  async find(id: string, source: string): Promise<DocumentOutcome> {
    const kept = this.#kept(id);
    const now = this.#options.clock.now();
    // What was fetched in the future is from before the clock was set back, and not fresh for as long again.
    const isFresh = kept !== null && now < kept.freshUntil && kept.fetched <= now + toleratedStep;
    if (isFresh) return current(kept.client);
    const fetched = await this.#fetchOnce(id, source);
    if (typeof fetched === "object") return current(fetched);
    if (kept !== null && Math.abs(this.#options.clock.now() - kept.fetched) < outageMs) {
      return { kind: "client", client: kept.client, currency: { kind: "earlier", fetched: kept.fetched } };
    }
    const copy = builtInClient(id);
    if (copy !== null) return { kind: "client", client: copy, currency: { kind: "built_in" } };
    return { kind: "refused", reason: fetched };
  }

  #fetchOnce(id: string, source: string): Promise<Fetched | "document_busy"> {
    const underway = this.#fetching.get(id);
    if (underway !== undefined) return underway;
    const failure = this.#failures.get(id);
    if (failure !== undefined && this.#options.clock.elapsed() - failure.at < restMs) {
      return Promise.resolve(failure.reason);
    }
    if (this.#perSource.take(source) > 0 || this.#inAll.take("") > 0) return Promise.resolve("document_busy");
    const fetching = this.#fetch(id).finally(() => this.#fetching.delete(id));
    this.#fetching.set(id, fetching);
    return fetching;
  }

  async #fetch(id: string): Promise<Fetched> {
    const { host } = new URL(id);
    const answer = await this.#options.fetch(id);
    if (answer.kind === "failed") {
      const refused = answer.fault === "private_address";
      return this.#fail(id, {
        reason: refused ? "document_refused" : "document_unreachable",
        fault: answer.fault,
      });
    }
    const client = readClientDocument(id, answer.text);
    if (typeof client === "string") return this.#fail(id, { reason: "document_refused", fault: client });
    this.#failures.delete(id);
    this.#keep(client, answer.maxAge);
    this.#options.logger.log("info", "client_document_fetched", { host });
    return client;
  }

  #fail<Reason extends "document_unreachable" | "document_refused">(
    id: string,
    { reason, fault }: { readonly reason: Reason; readonly fault: string },
  ): Reason {
    const { host } = new URL(id);
    this.#options.logger.log("warn", "client_document_failed", { host, fault });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= maxFailures && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(id, { at: this.#options.clock.elapsed(), reason });
    return reason;
  }

  #kept(
    id: string,
  ): { readonly client: Client; readonly fetched: number; readonly freshUntil: number } | null {
    const row = this.#statements.find.get(id);
    if (row === undefined) return null;
    const client = readClientDocument(id, textColumn(row, "client"));
    if (typeof client === "string") return null;
    return { client, fetched: numberColumn(row, "fetched"), freshUntil: numberColumn(row, "fresh_until") };
  }

  #keep(client: Client, maxAge: number | null): void {
    const now = this.#options.clock.now();
    const life = Math.min(longestMs, Math.max(shortestMs, maxAge === null ? usualMs : maxAge * 1000));
    try {
      this.#options.state.transaction(() => {
        this.#statements.keep.run({ url: client.id, client: keptText(client), now, freshUntil: now + life });
        this.#statements.limit.run(maxKept);
      });
    } catch (error) {
      // It is fetched again the next time.
      if (!isStateFailure(error)) throw error;
    }
  }
}

/** Written as a document, so that what is read back goes through the same checks. */
function keptText({ id, name, redirectUris, refreshes }: Client): string {
  const grantTypes = ["authorization_code", ...(refreshes ? ["refresh_token"] : [])];
  return JSON.stringify({
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
  });
}

function current(client: Client): DocumentOutcome {
  return { kind: "client", client, currency: { kind: "current" } };
}

function prepare({ db }: State) {
  return {
    find: db.prepare("SELECT client, fetched, fresh_until FROM client_documents WHERE url = ?"),
    keep: db.prepare(`
      INSERT INTO client_documents (url, client, fetched, fresh_until) VALUES (:url, :client, :now, :freshUntil)
      ON CONFLICT (url) DO UPDATE SET client = :client, fetched = :now, fresh_until = :freshUntil`),
    // Those of clients that are connected stay, whatever strangers make this server fetch.
    limit: db.prepare(`
      DELETE FROM client_documents WHERE url IN (
        SELECT url FROM client_documents
        ORDER BY EXISTS (SELECT 1 FROM grants WHERE grants.client = client_documents.url) DESC, fetched DESC
        LIMIT -1 OFFSET ?)`),
  };
}
