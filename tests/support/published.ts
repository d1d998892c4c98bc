/**
 * The running program as a published server: behind a proxy that keeps its public name, with clients whose documents lie
 * on a host of the test's. Everything goes over TCP; nothing leaves this machine.
 */

import { Agent, request } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type Program, withProgram } from "./app.ts";
import { certificate, privateKey } from "./certificates.ts";
import { Browser, type Fetch, ownerSecret, WireClient } from "./sign_in.ts";

export const publicOrigin = "https://notes.example.org";

/** What a host answers for an address. */
export interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface PublishedWorld {
  readonly program: Program;
  readonly fetch: Fetch;
  /** The owner's browser. */
  readonly browser: Browser;
  readonly client: WireClient;
  /** What hosts answer, by address; everything else is 404. Changed by the test. */
  readonly documents: Map<string, HostAnswer>;
  /** Addresses that were fetched. */
  readonly fetched: string[];
  /** A `fetch` of somebody whom the proxy saw at another address. */
  from(address: string): Fetch;
}

export interface PublishedOptions {
  readonly env?: Readonly<Record<string, string | null>>;
  readonly space?: Parameters<typeof withProgram>[0]["space"];
}

/** A client document as its host serves it. */
export function served(document: unknown): HostAnswer {
  return { headers: { "cache-control": "max-age=3600" }, body: JSON.stringify(document) };
}

export async function withPublished<T>(
  { env, space }: PublishedOptions,
  work: (world: PublishedWorld) => Promise<T>,
): Promise<T> {
  const documents = new Map<string, HostAnswer>();
  const fetched: string[] = [];
  return await withHost(documents, fetched, (port) =>
    withProgram({
      script: ["tests/support/documents_main.ts"],
      env: {
        SILVERBRIDGE_TOKEN: null,
        SILVERBRIDGE_OWNER_SECRET: ownerSecret,
        SILVERBRIDGE_PUBLIC_URL: publicOrigin,
        SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "100000",
        SILVERBRIDGE_TRUSTED_PROXIES: "127.0.0.1",
        SILVERBRIDGE_TEST_DOCUMENTS: String(port),
        ...env,
      },
      ...(space === undefined ? {} : { space }),
    }, async (program) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const from = (address: string) => proxied(program, { address, agent });
      const fetch = from("203.0.113.7");
      try {
        const [browser, client] = [new Browser(fetch), new WireClient(publicOrigin, fetch)];
        return await work({ program, fetch, browser, client, documents, fetched, from });
      } finally {
        agent.destroy();
      }
    }));
}

/** As a proxy on this machine passes a request on: to the program, under the public name. */
function proxied(
  { port }: Program,
  { address, agent }: { readonly address: string; readonly agent: Agent },
): Fetch {
  return async (url, init) => {
    const asked = new Request(url, init);
    const body = new Uint8Array(await asked.arrayBuffer());
    const headers: Record<string, string> = { "x-forwarded-proto": "https" };
    for (const [name, value] of asked.headers) headers[name] ??= value;
    // What somebody says of himself stays in front of what the proxy saw.
    const claimed = headers["x-forwarded-for"];
    headers["x-forwarded-for"] = claimed === undefined ? address : `${claimed}, ${address}`;
    headers["host"] = new URL(url).host;
    if (asked.method !== "GET" && asked.method !== "HEAD") {
      headers["content-length"] = String(body.byteLength);
    }
    const { pathname, search } = new URL(url);
    return await new Promise((resolve, reject) => {
      const path = pathname + search;
      const sent = request(
        { host: "127.0.0.1", port, path, method: asked.method, headers, agent },
        (answer) => {
          const parts: Uint8Array[] = [];
          answer.on("data", (part: Uint8Array) => parts.push(part));
          answer.on("error", reject);
          answer.on("end", () => resolve(responseOf(answer, parts)));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  };
}

function responseOf(
  answer: { readonly statusCode?: number | undefined; readonly rawHeaders: readonly string[] },
  parts: readonly Uint8Array[],
): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  }
  const status = answer.statusCode ?? 500;
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : new Blob(parts.map((part) => part.slice())), { status, headers });
}

async function withHost<T>(
  documents: ReadonlyMap<string, HostAnswer>,
  fetched: string[],
  work: (port: number) => Promise<T>,
): Promise<T> {
  const host: Server = createServer({ cert: certificate, key: privateKey }, (asked, response) => {
    const url = `https://${asked.headers.host}${asked.url}`;
    fetched.push(url);
    const answer = documents.get(url) ?? { status: 404, body: "" };
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.on("error", () => {});
    response.end(answer.body);
  });
  host.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  try {
    return await work((host.address() as AddressInfo).port);
  } finally {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  }
}
