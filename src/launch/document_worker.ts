/// <reference lib="deno.worker" />
/**
 * The worker that fetches client documents: it may connect to anything and can do nothing else, so it is apart from the
 * server, which may reach SilverBullet alone. Loads no foreign package.
 *
 * Greets the launcher, is given one port, and answers each address that comes over it.
 */

import { lookup } from "node:dns/promises";
import { version } from "../core/version.ts";
import { createDocumentFetch } from "../oauth/document_fetch.ts";
import { createPublicAddressCheck } from "../oauth/public_address.ts";
import { openConnection } from "./document_connection.ts";
import { serveDocuments } from "./document_port.ts";

const fetchDocument = createDocumentFetch({
  version,
  connect: (target) => openConnection({ ...target, port: 443 }),
  isPublicAddress: createPublicAddressCheck(),
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
});

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (typeof data !== "object" || data === null || !("port" in data)) return;
  if (data.port instanceof MessagePort) serveDocuments(data.port, fetchDocument);
});

self.addEventListener("unhandledrejection", (event) => event.preventDefault());

self.postMessage({ kind: "hello" });
