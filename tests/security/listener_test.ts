/** The listener of the running program under floods: slow, idle, many, huge, foreign, and out of descriptors. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { mcpRequest, type Program, token, withProgram } from "../support/app.ts";
import { closeQuietly, sendRaw, statusOf, writeAll } from "../support/raw_http.ts";

const encoder = new TextEncoder();

async function works(program: Program): Promise<void> {
  const response = await fetch(mcpRequest(program.url, { method: "tools/list" }), {
    signal: AbortSignal.timeout(20_000),
  });
  assert.equal(response.status, 200);
  await response.body?.cancel();
}

/** Descriptors once all is open that the program opens by itself: index, events of the space. */
async function atRest(program: Program): Promise<number> {
  const params = { name: "search_pages", arguments: { query: "anything" } };
  const answer = await fetch(mcpRequest(program.url, { method: "tools/call", params }));
  assert.match(await answer.text(), /searched/);
  let last = -1;
  let now = await openDescriptors(program);
  while (now !== last) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    last = now;
    now = await openDescriptors(program);
  }
  return now;
}

/** Opens many connections that each send `bytes` and stay, and hands them to `work`. */
async function withFlood(
  program: Program,
  flood: { readonly count: number; readonly bytes: string },
  work: () => Promise<void>,
): Promise<void> {
  const connections: Deno.Conn[] = [];
  try {
    for (let index = 0; index < flood.count; index++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: program.port });
      connections.push(connection);
      await writeAll(connection, encoder.encode(flood.bytes)).catch(() => {});
    }
    await work();
  } finally {
    for (const connection of connections) closeQuietly(connection);
  }
}

async function openDescriptors(program: Program): Promise<number> {
  let count = 0;
  for await (const _ of Deno.readDir(`/proc/${program.pid}/fd`)) count++;
  return count;
}

async function settlesAt(program: Program, most: number): Promise<number> {
  let count = 0;
  for (let round = 0; round < 100; round++) {
    count = await openDescriptors(program);
    if (count <= most) return count;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return count;
}

const floods: Array<[string, string]> = [
  ["silent", ""],
  ["half a request line", "POST /mc"],
  ["half a head", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
  ["answered and idle", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["a refused body that never comes", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"],
];

for (const [kind, bytes] of floods) {
  Deno.test(`six hundred connections (${kind}) do not keep a caller out`, async () => {
    cites("http.floods");
    await withProgram({}, async (program) => {
      await works(program);
      await withFlood(program, { count: 600, bytes }, async () => {
        for (let round = 0; round < 5; round++) await works(program);
      });
      await works(program);
    });
  });
}

/** As `works`, for a moment in which the listener may be replaced: a reset connection is tried again. */
async function worksAgain(program: Program): Promise<void> {
  for (let round = 0;; round++) {
    try {
      return await works(program);
    } catch (error) {
      if (round === 20 || error instanceof assert.AssertionError) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

Deno.test("a process with few descriptors outlives floods beyond them and answers during them", async () => {
  cites("http.floods");
  const wrapper = ["prlimit", "--nofile=160:160"];
  await withProgram({ wrapper }, async (program) => {
    await works(program);
    for (const [kind, bytes] of floods) {
      if (kind !== "silent" && kind !== "answered and idle") continue;
      await Promise.all([0, 1, 2].map(() =>
        withFlood(program, { count: 300, bytes }, async () => {
          for (let round = 0; round < 3; round++) await worksAgain(program);
        })
      ));
    }
    await worksAgain(program);
    program.kill("SIGTERM");
    assert.equal((await program.ended()).code, 0);
  });
});

Deno.test("connections that send slowly are closed while others are served", async () => {
  cites("http.floods");
  await withProgram({}, async (program) => {
    const dribble = async () => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: program.port });
      let closed = false;
      let mine = false;
      const reading = (async () => {
        const buffer = new Uint8Array(1024);
        while (await connection.read(buffer).catch(() => null) !== null);
        closed = !mine;
      })();
      try {
        await writeAll(connection, encoder.encode("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: "));
        for (let second = 0; second < 40 && !closed; second++) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          await writeAll(connection, encoder.encode("x")).catch(() => {});
        }
      } finally {
        mine = true;
        closeQuietly(connection);
        await reading;
      }
      return closed;
    };
    const all = Promise.all(Array.from({ length: 20 }, dribble));
    for (let round = 0; round < 10; round++) await works(program);
    assert.deepEqual(new Set(await all), new Set([true]));
  });
});

/** A connection that asks for megabytes several times over and takes none of them. */
async function takesNothing(program: Program): Promise<Deno.Conn> {
  const params = { name: "read_page", arguments: { page: "Long", max_bytes: 1_000_000 } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const head = ["POST /mcp HTTP/1.1", "Host: localhost", `Authorization: Bearer ${token}`];
  head.push("Content-Type: application/json", `Content-Length: ${body.length}`);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: program.port });
  await writeAll(connection, encoder.encode(`${head.join("\r\n")}\r\n\r\n${body}`.repeat(8)));
  return connection;
}

Deno.test("connections that take no answers do not keep a caller out", async () => {
  cites("http.floods");
  const space = { files: { "Long.md": "x".repeat(1_000_000) } };
  // So few descriptors that the cap is at its lowest, eight connections.
  await withProgram({ space, wrapper: ["prlimit", "--nofile=120:120"] }, async (program) => {
    await works(program);
    const connections: Deno.Conn[] = [];
    try {
      for (let index = 0; index < 8; index++) connections.push(await takesNothing(program));
      await program.until(({ log }) => log.split('"event":"tool"').length > 64);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      for (let round = 0; round < 5; round++) await worksAgain(program);
    } finally {
      for (const connection of connections) closeQuietly(connection);
    }
  });
});

Deno.test("strangers whose body never comes do not keep a caller out", async () => {
  cites("http.floods");
  const env = {
    SILVERBRIDGE_OWNER_SECRET: "a passphrase that is long enough",
    SILVERBRIDGE_PUBLIC_URL: "https://notes.example.org",
  };
  const head = "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n" +
    "Content-Type: application/x-www-form-urlencoded\r\n\r\ngrant_type=";
  await withProgram({ env, wrapper: ["prlimit", "--nofile=120:120"] }, async (program) => {
    await works(program);
    await withFlood(program, { count: 8, bytes: head }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      for (let round = 0; round < 5; round++) await worksAgain(program);
    });
  });
});

Deno.test("five hundred dropped connections leave no descriptor behind", async () => {
  cites("http.floods");
  await withProgram({}, async (program) => {
    for (let round = 0; round < 20; round++) await works(program);
    const before = await atRest(program);
    for (let batch = 0; batch < 25; batch++) {
      await Promise.all(Array.from({ length: 20 }, async (_, index) => {
        const [, bytes = ""] = floods[index % floods.length] ?? [];
        const connection = await Deno.connect({ hostname: "127.0.0.1", port: program.port });
        await writeAll(connection, encoder.encode(bytes)).catch(() => {});
        closeQuietly(connection);
      }));
    }
    const after = await settlesAt(program, before + 2);
    assert.ok(after <= before + 2, `${before} descriptors before, ${after} after`);
    await works(program);
  });
});

Deno.test("heads that are too large are refused and cost nobody else anything", async () => {
  cites("http.floods");
  await withProgram({}, async (program) => {
    const heads = [
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\n${"x: 1\r\n".repeat(150)}\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\n${"x: 1\r\n".repeat(30_000)}\r\n`,
      `GET /${"x".repeat(200_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${"a=b; ".repeat(10_000)}\r\n\r\n`,
    ];
    const answers = await Promise.all(
      heads.map((head) =>
        sendRaw(head, { port: program.port, waitMs: 5000, until: (text) => text.includes("\r\n\r\n") })
      ),
    );
    for (const { text, closed } of answers) {
      assert.ok(statusOf(text) === 431 || (text === "" && closed), text);
    }
    assert.equal(statusOf(answers[0]?.text ?? ""), 431);
    await works(program);
  });
});

Deno.test("what is not HTTP/1 is logged by kind with its usual cause, and none of its content", async () => {
  cites("http.first-bytes");
  await withProgram({}, async (program) => {
    const secret = "canary-in-first-bytes";
    const table: Array<[string, string]> = [
      ["tls", `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${secret}`],
      ["http2", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${secret}`],
      ["junk", `\0\x01\x02${secret}`],
      ["bad-request", `GET /${secret} with spaces HTTP/1.1\r\n\r\n`],
    ];
    for (const [kind, bytes] of table) {
      await sendRaw(bytes, { port: program.port, waitMs: 2000 });
      await program.until(({ log }) => log.includes(`"event":"connection_fault","kind":"${kind}","cause":"`));
    }
    assert.equal(program.log.includes(secret), false);
  });
});
