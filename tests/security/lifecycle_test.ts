/** Starting, stopping, dying and coming back: what an operator and a client see of it. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { freePort, mcpRequest, type Program, startProgram, token, withProgram } from "../support/app.ts";
import { sendRaw } from "../support/raw_http.ts";

const probed = ["tests/support/probe_main.ts"];

async function listTools(program: Program): Promise<number> {
  const response = await fetch(mcpRequest(program.url, { method: "tools/list" }));
  await response.body?.cancel();
  return response.status;
}

async function tell(program: Program, attempt: string): Promise<void> {
  await program.say(JSON.stringify({ to: "worker", tries: [[attempt, ""]] }));
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} lets a request in hand finish, then the program ends with 0`, async () => {
    cites("launch.drain");
    await withProgram({}, async (program) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
      const half = body.slice(0, 20);
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: program.port });
      try {
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
          "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
          `Content-Length: ${body.length}\r\n\r\n`;
        await connection.write(new TextEncoder().encode(head + half));
        await listTools(program);
        program.kill(signal);
        await program.until(({ log }) => log.includes('"event":"stopping"'));
        await refusesConnections(program.port);
        await connection.write(new TextEncoder().encode(body.slice(20)));
        const buffer = new Uint8Array(65536);
        let text = "";
        for (
          let count = await connection.read(buffer);
          count !== null;
          count = await connection.read(buffer)
        ) {
          text += new TextDecoder().decode(buffer.subarray(0, count));
        }
        assert.match(text, /^HTTP\/1\.1 200/);
        assert.match(text, /"id":7/);
      } finally {
        connection.close();
      }
      const { code, signal: by } = await program.ended();
      assert.deepEqual([code, by], [0, null]);
      assert.match(program.log, /"event":"stopped","finished":true/);
    });
  });
}

Deno.test("SIGTERM lets a write to a slow SilverBullet finish and tells its caller", async () => {
  cites("launch.drain");
  await withProgram({}, async (program) => {
    assert.equal(await listTools(program), 200);
    const arrived = Promise.withResolvers<void>();
    const hand = { kind: "hand", when: "before", act: () => arrived.resolve() } as const;
    program.space.faults.add({ fault: hand, verb: "PUT" });
    program.space.faults.add({ fault: { kind: "slow_answer", ms: 1500 }, verb: "PUT" });
    const params = { name: "create_page", arguments: { page: "Slow", content: "kept" } };
    const answer = fetch(mcpRequest(program.url, { method: "tools/call", params }));
    await arrived.promise;
    program.kill("SIGTERM");
    const { result } = await (await answer).json();
    assert.equal(result.isError, undefined, JSON.stringify(result));
    assert.equal(program.space.files.text("Slow.md"), "kept");
    assert.equal((await program.ended()).code, 0);
    assert.match(program.log, /"event":"stopped","finished":true/);
  });
});

Deno.test("a request that does not finish is cut, and the program still ends with 0 in good time", async () => {
  cites("launch.drain");
  await withProgram({ script: probed }, async (program) => {
    const stalled = sendRaw(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\nabc`,
      { port: program.port, waitMs: 30_000 },
    );
    await listTools(program);
    program.kill("SIGTERM");
    const { code } = await program.ended();
    assert.equal(code, 0);
    assert.match(program.log, /"event":"stopped","finished":false/);
    assert.equal((await stalled).closed, true);
  });
});

Deno.test("a second signal does not wait", async () => {
  await withProgram({}, async (program) => {
    const stalled = sendRaw(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\nabc`,
      { port: program.port, waitMs: 30_000 },
    );
    await listTools(program);
    program.kill("SIGTERM");
    await program.until(({ log }) => log.includes('"event":"stopping"'));
    program.kill("SIGTERM");
    assert.equal((await program.ended()).code, 1);
    await stalled;
  });
});

Deno.test("after kill -9 and a restart on the same state folder the client's next call works", async () => {
  cites("mcp.stateless");
  await withProgram({}, async (program) => {
    const { port, space, stateDir } = program;
    assert.equal(await listTools(program), 200);
    program.kill("SIGKILL");
    assert.equal((await program.ended()).signal, "SIGKILL");
    const again = await startProgram({ env: { SILVERBRIDGE_PORT: String(port) } }, { space, stateDir });
    try {
      const next = mcpRequest(program.url, { method: "tools/list" }, { "mcp-session-id": "from-before" });
      const response = await fetch(next);
      assert.equal(response.status, 200);
      await response.body?.cancel();
    } finally {
      again.kill("SIGTERM");
      assert.equal((await again.ended()).code, 0);
    }
  });
});

Deno.test("a server that hangs ends the program with 70", async () => {
  cites("launch.death");
  await withProgram({ script: probed }, async (program) => {
    await tell(program, "spin for ever");
    const { code } = await program.ended();
    assert.equal(code, 70);
    assert.match(program.log, /"event":"server_hung"/);
  });
});

Deno.test("a server that goes away without a word ends the program with 70", async () => {
  cites("launch.death");
  await withProgram({ script: probed }, async (program) => {
    await tell(program, "close the worker");
    assert.equal((await program.ended()).code, 70);
  });
});

Deno.test("faults that nobody catches are logged without their text and survived", async () => {
  await withProgram({ script: probed }, async (program) => {
    for (const attempt of ["throw where nobody catches", "reject where nobody catches"]) {
      await tell(program, attempt);
    }
    await program.until(({ log }) => log.match(/"event":"unexpected"/g)?.length === 2);
    assert.equal(await listTools(program), 200);
    assert.equal(/uncaught at|unhandled at|home\/secret/.test(program.log), false);
  });
});

Deno.test("faults that pile up end the program with 70", async () => {
  cites("launch.death");
  await withProgram({ script: probed }, async (program) => {
    for (let round = 0; round < 21; round++) await tell(program, "throw where nobody catches");
    assert.equal((await program.ended()).code, 70);
  });
});

Deno.test("a port that is taken is said in words, with the mend, and ends the program with 70", async () => {
  cites("launch.death");
  const port = freePort();
  const taken = Deno.listen({ hostname: "127.0.0.1", port });
  try {
    await withProgram({ env: { SILVERBRIDGE_PORT: String(port) }, wait: "no" }, async (program) => {
      assert.equal((await program.ended()).code, 70);
      assert.match(program.log, new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port}: another program does`));
      assert.match(program.log, /SILVERBRIDGE_PORT/);
    });
  } finally {
    taken.close();
  }
});

Deno.test("an address that this machine does not have ends the program with 78", async () => {
  cites("launch.death");
  const env = { SILVERBRIDGE_HOST: "192.0.2.1", SILVERBRIDGE_PUBLIC_URL: "https://notes.example.org" };
  await withProgram({ env, wait: "no" }, async (program) => {
    assert.equal((await program.ended()).code, 78);
    assert.match(program.log, /this machine does not have that address/);
  });
});

Deno.test("a configuration with problems starts nothing and ends the program with 78", async () => {
  cites("launch.death");
  const env = { SILVERBRIDGE_PORT: "many", SILVERBRIDGE_TOKEN: null };
  await withProgram({ env, wait: "no" }, async (program) => {
    assert.equal((await program.ended()).code, 78);
    assert.match(program.log, /SILVERBRIDGE_PORT/);
    assert.equal(program.log.includes("listening"), false);
  });
});

Deno.test("an unknown command ends the program with 64 and names those that exist", async () => {
  await withProgram({ script: ["src/main.ts", "server"], wait: "no" }, async (program) => {
    assert.equal((await program.ended()).code, 64);
    assert.match(program.log, /there is no command "server"; there are serve, /);
  });
});

async function refusesConnections(port: number): Promise<void> {
  for (let round = 0; round < 100; round++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      return;
    }
  }
  assert.fail("New connections are still accepted");
}

Deno.test("a state file deleted under the running program stops changes, so that none is made unkept", async () => {
  cites("notes.history");
  await withProgram({ space: { files: { "A.md": "kept" } } }, async (program) => {
    const remove = { name: "delete_page", arguments: { page: "A" } };
    const call = async (params: unknown) =>
      await (await fetch(mcpRequest(program.url, { method: "tools/call", params }))).text();
    assert.match(await call({ name: "read_page", arguments: { page: "A" } }), /kept/);
    await Deno.remove(`${program.stateDir}/state.db`);
    const refused = await call(remove);
    assert.match(refused, /nothing was changed/);
    assert.match(refused, /restarted/);
    assert.equal(refused.includes(program.stateDir), false);
    assert.equal(program.space.files.text("A.md"), "kept");
    assert.match(await call({ name: "read_page", arguments: { page: "A" } }), /kept/);
  });
});
