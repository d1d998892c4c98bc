/// <reference lib="deno.worker" />
/**
 * The worker that fetches client documents: it may connect to anything and can do nothing else, so it is apart from the
 * server, which may reach SilverBullet alone. Loads no foreign package.
 *
 * Greets the launcher, is given one port, and answers each address that comes over it.
 */

import { lookup } from "node:dns/promises";
import { version } from "../core/version.ts";
import { type Connection, createDocumentFetch } from "../oauth/document_fetch.ts";
import { createPublicAddressCheck } from "../oauth/public_address.ts";
import { serveDocuments } from "./document_port.ts";

/** Opens TLS to a checked address; the certificate must be that of the name. */
async function connect(
  { address, hostname, signal }: {
    readonly address: string;
    readonly hostname: string;
    readonly signal: AbortSignal;
  },
): Promise<Connection> {
  const plain = await Deno.connect({ hostname: address, port: 443, signal });
  try {
    const secure = await Deno.startTls(plain, { hostname, alpnProtocols: ["http/1.1"] });
    let isOpen = true;
    return {
      read: (into) => secure.read(into),
      async write(bytes) {
        for (let written = 0; written < bytes.byteLength;) {
          written += await secure.write(bytes.subarray(written));
        }
      },
      close() {
        if (isOpen) secure.close();
        isOpen = false;
      },
    };
  } catch (error) {
    try {
      plain.close();
    } catch {
      // The handshake has taken it with it.
    }
    throw error;
  }
}

const fetchDocument = createDocumentFetch({
  version,
  connect,
  isPublicAddress: createPublicAddressCheck(),
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
});

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (typeof data !== "object" || data === null || !("port" in data)) return;
  if (data.port instanceof MessagePort) serveDocuments(data.port, fetchDocument);
});

self.addEventListener("unhandledrejection", (event) => event.preventDefault());

self.postMessage({ kind: "hello" });
