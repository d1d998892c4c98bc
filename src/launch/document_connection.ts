/** One TLS connection to an address that was checked, under a name: the certificate must be that of the name. */

import type { Connection } from "../oauth/document_fetch.ts";

export interface ConnectionTarget {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** Whose certificate it must show. */
  readonly hostname: string;
  readonly signal: AbortSignal;
  /** PEM texts of more authorities to trust, for tests. */
  readonly authorities?: readonly string[];
}

/** Rejects where nobody answers, or somebody without the certificate of that name. */
export async function openConnection(target: ConnectionTarget): Promise<Connection> {
  const { address, port, hostname, signal, authorities = [] } = target;
  const plain = await Deno.connect({ hostname: address, port, signal });
  const secure = await Deno.startTls(plain, {
    hostname,
    alpnProtocols: ["http/1.1"],
    caCerts: [...authorities],
  });
  let isOpen = true;
  function close(): void {
    if (isOpen) secure.close();
    isOpen = false;
  }
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    await secure.handshake();
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    read: (into) => secure.read(into),
    async write(bytes) {
      for (let written = 0; written < bytes.byteLength;) {
        written += await secure.write(bytes.subarray(written));
      }
    },
  };
}
