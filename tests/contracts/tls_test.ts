/** SilverBullet behind TLS: a private authority is trusted when it is configured, and nothing else is. */

import assert from "node:assert/strict";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { authority, certificate, privateKey } from "../support/certificates.ts";

async function withServer(run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    response.setHeader("Content-Type", request.url === "/.ping" ? "text/plain" : "application/json");
    response.end(request.url === "/.ping" ? "OK" : JSON.stringify({ readOnly: false, indexPage: "index" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run(`https://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function connect(url: string, caPem: string | null) {
  const lock = openPathLock({ state: null, clock: systemClock });
  return openSilverBullet({
    url,
    token: null,
    caPem,
    clock: systemClock,
    lock,
    logger: silentLogger,
    readOnly: true,
  });
}

Deno.test("a private certificate authority is trusted when it is configured", async () => {
  await withServer(async (url) => {
    const connection = connect(url, authority);
    assert.equal((await connection.facts()).indexPage, "index");
    connection.close();
  });
});

Deno.test("an unknown authority and a wrong host name are refused, with the setting that would help", async () => {
  await withServer(async (url) => {
    for (
      const [address, caPem] of [[url, null], [url.replace("127.0.0.1", "127.0.0.2"), authority]] as const
    ) {
      const connection = connect(address, caPem);
      await assert.rejects(connection.facts(), (error: unknown) => {
        assert.ok(error instanceof AppError && error.upstream === "unreachable");
        if (caPem === null) assert.match(error.remedy, /SILVERBRIDGE_SILVERBULLET_CA_FILE/);
        return true;
      });
      connection.close();
    }
  });
});

/** What `facts()` says of a server at that address. */
async function complaint(url: string): Promise<string> {
  const connection = connect(url, authority);
  try {
    await connection.facts();
  } catch (error) {
    assert.ok(error instanceof AppError && error.upstream === "unreachable");
    return `${error.message} ${error.remedy}`;
  } finally {
    connection.close();
  }
  assert.fail(`${url} was accepted`);
}

Deno.test("https in the address of a plain server, and http in that of one with TLS, are told apart from no server", async () => {
  const plain = createPlainServer((_request, response) => response.end("OK"));
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as AddressInfo;
  try {
    assert.match(
      await complaint(`https://127.0.0.1:${port}`),
      /does not speak https.* SILVERBRIDGE_SILVERBULLET_URL with http:/,
    );
  } finally {
    plain.closeAllConnections();
    await new Promise((resolve) => plain.close(resolve));
  }
  assert.match(await complaint(`https://127.0.0.1:${port}`), /accepts no connection/);
  await withServer(async (url) => {
    assert.match(
      await complaint(url.replace("https:", "http:")),
      /does not speak http Ask .* SILVERBRIDGE_SILVERBULLET_URL must begin with https:/,
    );
  });
});
