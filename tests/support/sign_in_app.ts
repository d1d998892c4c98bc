/** The program in process with signing in switched on, as a server behind a public https address. */

import type { DocumentAnswer } from "../../src/oauth/document_fetch.ts";
import { type AppSettings, type InProcessApp, withApp } from "./app.ts";
import { Browser, type Fetch, ownerSecret, WireClient } from "./sign_in.ts";

export const origin = "https://notes.example.org";

export interface SignInWorld {
  readonly app: InProcessApp;
  readonly fetch: Fetch;
  /** The owner's browser. */
  readonly browser: Browser;
  readonly client: WireClient;
  /** What hosts answer for client documents, by address; changed by the test. */
  readonly documents: Map<string, DocumentAnswer>;
  /** Addresses that were fetched. */
  readonly fetched: string[];
  /** A `fetch` that comes from another address. */
  from(address: string): Fetch;
  /** Address of the space. */
  space(): string;
}

export const signInEnv = {
  SILVERBRIDGE_TOKEN: null,
  SILVERBRIDGE_OWNER_SECRET: ownerSecret,
  SILVERBRIDGE_PUBLIC_URL: origin,
  SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "100000",
} as const;

export async function withSignIn<T>(
  options: Pick<AppSettings, "env" | "configure" | "space">,
  work: (world: SignInWorld) => Promise<T>,
): Promise<T> {
  const documents = new Map<string, DocumentAnswer>();
  const fetched: string[] = [];
  return await withApp({
    ...options,
    env: { ...signInEnv, ...options.env },
    fetchDocument(url) {
      fetched.push(url);
      return Promise.resolve(documents.get(url) ?? { kind: "failed", fault: "unreachable" });
    },
  }, (app) => {
    const from = (address: string): Fetch => (url, init) => {
      const request = new Request(url, init);
      const headers = new Headers(request.headers);
      headers.set("host", new URL(url).host);
      return app.fetch(new Request(request, { headers }), address);
    };
    const fetch = from("203.0.113.7");
    const browser = new Browser(fetch);
    const client = new WireClient(origin, fetch);
    return work({ app, fetch, browser, client, documents, fetched, from, space: () => app.space.url });
  });
}

/** A client document as its host serves it. */
export function documentAnswer(document: unknown): DocumentAnswer {
  return { kind: "document", text: JSON.stringify(document), maxAge: 3600 };
}
