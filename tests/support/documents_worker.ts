/// <reference lib="deno.worker" />
/**
 * The worker that fetches client documents, with a name server and an Internet of the test's: every name has the address
 * that its own first labels say, and every connection leads to the test's host on this machine, over TLS. The rest is
 * the product's: which addresses count, the request, the limits, the answer.
 *
 * `client.example` is public. `a-10-0-0-1.client.example` is at 10.0.0.1, `a-8-8-8-8.b-10-0-0-1.client.example` at both,
 * and `then-10-0-0-1.client.example` is public the first time that it is asked for, and at 10.0.0.1 ever after.
 */

import { version } from "../../src/core/version.ts";
import { openConnection } from "../../src/launch/document_connection.ts";
import { serveDocuments } from "../../src/launch/document_port.ts";
import { createDocumentFetch } from "../../src/oauth/document_fetch.ts";
import { createPublicAddressCheck } from "../../src/oauth/public_address.ts";
import { authority } from "./certificates.ts";

const anywhere = "93.184.215.14";
const asked = new Set<string>();
const port = Number(new URL(self.location.href).searchParams.get("port"));

function addressesOf(hostname: string): string[] {
  const labels = hostname.split(".");
  const fixed = labels.flatMap((label) =>
    /^[a-z]-(\d+-\d+-\d+-\d+)$/.exec(label)?.[1]?.replaceAll("-", ".") ?? []
  );
  if (fixed.length > 0) return fixed;
  const later = /^then-(\d+-\d+-\d+-\d+)$/.exec(labels[0] ?? "")?.[1];
  if (later === undefined || !asked.has(hostname)) {
    asked.add(hostname);
    return [anywhere];
  }
  return [later.replaceAll("-", ".")];
}

const fetchDocument = createDocumentFetch({
  version,
  isPublicAddress: createPublicAddressCheck(),
  resolve: (hostname) => Promise.resolve(addressesOf(hostname)),
  connect({ address, signal }) {
    // Whoever gets here with another address has been let through.
    const reached = address === anywhere || address === "8.8.8.8" ? port : 9;
    const target = { address: "127.0.0.1", port: reached, hostname: "localhost", signal };
    return openConnection({ ...target, authorities: [authority] });
  },
});

self.addEventListener("message", ({ data }: MessageEvent<{ readonly port: MessagePort }>) => {
  serveDocuments(data.port, fetchDocument);
});
self.addEventListener("unhandledrejection", (event) => event.preventDefault());
self.postMessage({ kind: "hello" });
