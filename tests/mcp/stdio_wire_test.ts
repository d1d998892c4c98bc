/** MCP over standard input and output as bytes: what comes in however broken, how it ends, and what may never get out. */

import assert from "node:assert/strict";
import { type Program, programCommand, root, withProgram } from "../support/app.ts";
import { makeDocx, paragraph } from "../support/office_maker.ts";
import { cites } from "../requirements.ts";

const script = ["src/main.ts", "stdio"];
const running = { script, wait: "no" } as const;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly data?: { readonly error?: string } };
}

/** Every line that the program wrote, each a JSON-RPC message, or the test fails. */
function messages(program: Program): Message[] {
  return program.output.split("\n").slice(0, -1).map((line) => {
    const message = JSON.parse(line);
    assert.equal(message.jsonrpc, "2.0", line);
    return message;
  });
}

async function ask(program: Program, message: Readonly<Record<string, unknown>>): Promise<Message> {
  const had = messages(program).filter(({ id }) => id === message["id"]).length;
  await program.say(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const mine = () => messages(program).filter(({ id }) => id === message["id"])[had];
  await program.until(() => mine() !== undefined);
  return mine() ?? {};
}

function read(page: string, id: number) {
  return { id, method: "tools/call", params: { name: "read_page", arguments: { page } } };
}

function textOf(message: Message, block = 1): string {
  const { content } = message.result as { content: { text: string }[] };
  return content[block]?.text ?? "";
}

Deno.test("stdio answers what is broken, each with its own error, and goes on", async () => {
  cites("stdio.wire");
  await withProgram({ ...running, space: { files: { "A.md": "a\n" } } }, async (program) => {
    const half = String.raw`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"\ud800"}}`;
    const cases: ReadonlyArray<readonly [string, number, string]> = [
      ["{broken", -32700, "invalid-json"],
      ["Content-Length: 20", -32700, "invalid-json"],
      [half, -32700, "invalid-json"],
      ["[]", -32600, "json-object-required"],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, "json-object-required"],
      ["null", -32600, "json-object-required"],
      ['{"id":4,"method":"ping"}', -32600, "invalid-request"],
      ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, "invalid-request"],
    ];
    for (const [line, code, word] of cases) {
      const before = messages(program).length;
      await program.say(line);
      await program.until((now) => messages(now).length > before);
      const { error } = messages(program)[before] ?? {};
      assert.deepEqual([error?.code, error?.data?.error], [code, word], line);
    }
    assert.equal(textOf(await ask(program, read("A", 9))), "a\n");
  });
});

Deno.test("stdio says nothing to notifications, responses and blank lines", async () => {
  cites("stdio.wire");
  await withProgram(running, async (program) => {
    for (
      const line of [
        "",
        "   ",
        "\r",
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","method":"notifications/nobody/knows","params":{"a":1}}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}',
        '{"jsonrpc":"2.0","id":5,"result":{}}',
        '{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"no"}}',
      ]
    ) await program.say(line);
    await ask(program, { id: 1, method: "ping" });
    assert.deepEqual(messages(program).map(({ id }) => id), [1]);
  });
});

Deno.test("stdio drops a message beyond the limit, refuses it by its id, and keeps its memory", async () => {
  cites("stdio.wire");
  await withProgram(running, async (program) => {
    await ask(program, { id: 0, method: "ping" });
    const before = residentBytes(program.pid);
    await program.feed(
      new TextEncoder().encode('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"x":"'),
    );
    const piece = new Uint8Array(1024 * 1024).fill(120);
    for (let count = 0; count < 300; count++) await program.feed(piece);
    await program.say('"}}');
    await program.until(() => messages(program).some(({ id }) => id === 77));
    const refused = messages(program).find(({ id }) => id === 77);
    assert.equal(refused?.error?.data?.error, "request-body-too-large");
    const grown = residentBytes(program.pid) - before;
    assert.ok(grown < 150 * 1024 ** 2, `${grown} bytes for a message of 300 MiB`);
    assert.deepEqual((await ask(program, { id: 78, method: "ping" })).result, {});
  });
});

Deno.test("stdio takes messages cut anywhere, and the last one without a line break", async () => {
  cites("stdio.wire");
  await withProgram({ ...running, space: { files: { "Ü.md": "über\n" } } }, async (program) => {
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ jsonrpc: "2.0", ...read("Ü", 1) })}\r\n${
        JSON.stringify({ jsonrpc: "2.0", ...read("Ü", 2) })
      }`,
    );
    for (const byte of bytes) await program.feed(Uint8Array.of(byte));
    await program.closeInput();
    assert.equal((await program.ended()).code, 0);
    assert.deepEqual(messages(program).map(({ id }) => id).toSorted(), [1, 2]);
    for (const message of messages(program)) assert.equal(textOf(message), "über\n");
  });
});

Deno.test("stdio refuses a second request under an id that is not answered yet", async () => {
  cites("stdio.wire");
  await withProgram({ ...running, space: { files: { "A.md": "a\n" } } }, async (program) => {
    await ask(program, read("A", 1));
    program.space.faults.add({ fault: { kind: "slow_answer", ms: 400 }, path: "A.md" });
    const line = JSON.stringify({ jsonrpc: "2.0", ...read("A", 2) });
    await program.feed(new TextEncoder().encode(`${line}\n${line}\n`));
    await program.until(() => messages(program).filter(({ id }) => id === 2).length === 2);
    const [first, second] = messages(program).filter(({ id }) => id === 2);
    assert.equal(first?.error?.data?.error, "invalid-request");
    assert.equal(textOf(second ?? {}), "a\n");
  });
});

Deno.test("stdio keeps the log away from standard output, and tokens out of both", async () => {
  cites("stdio.wire");
  await withProgram({ ...running, space: { files: { "A.md": "a\n" } } }, async (program) => {
    await ask(program, read("A", 1));
    await program.closeInput();
    assert.equal((await program.ended()).code, 0);
    assert.equal(messages(program).length, 1);
    assert.match(program.log, /"event":"serving"/);
    assert.match(program.log, /"event":"tool"/);
    assert.ok(!/token-0123456789/.test(program.log + program.output));
  });
});

Deno.test("stdio answers calls in hand when its input ends, then ends with 0", async () => {
  cites("stdio.end");
  await withProgram({ ...running, space: { files: { "A.md": "a\n" } } }, async (program) => {
    await ask(program, read("A", 1));
    program.space.faults.add({ fault: { kind: "slow_answer", ms: 300 }, path: "A.md" });
    await program.say(JSON.stringify({ jsonrpc: "2.0", ...read("A", 2) }));
    await program.closeInput();
    const { code, signal } = await program.ended();
    assert.deepEqual([code, signal], [0, null]);
    assert.equal(textOf(messages(program).find(({ id }) => id === 2) ?? {}), "a\n");
    assert.match(program.log, /"event":"stopped","finished":true/);
  });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`stdio ends with 0 on ${signal} although its input stays open, and ends subscriptions`, async () => {
    cites("stdio.end");
    await withProgram(running, async (program) => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      };
      const params = { notifications: { resourcesListChanged: true }, _meta: meta };
      await program.say(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }));
      await program.until((now) =>
        messages(now).some(({ method }) => method?.includes("acknowledged") === true)
      );
      program.kill(signal);
      const { code, signal: by } = await program.ended();
      assert.deepEqual([code, by], [0, null]);
      assert.ok(messages(program).some(({ id, result }) => id === 1 && result !== undefined));
    });
  });
}

Deno.test("stdio ends when nobody reads its output any more, although its input stays open", async () => {
  cites("stdio.end");
  await withProgram(
    { ...running, space: { files: { "A.md": "a\n" } } },
    async ({ space, stateDir, port }) => {
      const { command, args, env } = programCommand({ script }, { space, stateDir, port });
      const child = new Deno.Command(command, {
        args: [...args],
        ...{ cwd: root, env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "null" },
      }).spawn();
      const input = child.stdin.getWriter();
      await child.stdout.cancel();
      const line = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...read("A", 1) })}\n`);
      const ended = child.status;
      const watchdog = setTimeout(() => child.kill("SIGKILL"), 30_000);
      await input.write(line).catch(() => {});
      assert.equal((await ended).code, 0);
      clearTimeout(watchdog);
      await input.abort().catch(() => {});
    },
  );
});

Deno.test("stdio with a configuration that will not do writes to standard error alone and ends with 78", async () => {
  cites("stdio.wire");
  await withProgram({ ...running, env: { SILVERBRIDGE_SILVERBULLET_URL: null } }, async (program) => {
    assert.equal((await program.ended()).code, 78);
    assert.equal(program.output, "");
    assert.match(program.log, /Neither SilverBullet nor a folder is configured/);
  });
});

Deno.test("stdio keeps to the operator's ceiling and asks for no token", async () => {
  cites("stdio.rights");
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_READ_ONLY: "on",
    SILVERBRIDGE_HIDDEN_PATHS: "Secret/**",
    SILVERBRIDGE_CHANGES_PER_HOUR: "1/1",
  };
  const files = { "Secret/S.md": "s\n", "A.md": "a\n" };
  await withProgram({ ...running, env, space: { files } }, async (program) => {
    const { result } = await ask(program, { id: 1, method: "tools/list" });
    const names = (result?.["tools"] as { name: string }[]).map(({ name }) => name);
    assert.ok(names.includes("read_page") && !names.includes("write_page"), names.join());
    assert.match(textOf(await ask(program, read("Secret/S", 2)), 0), /not found/);
    assert.equal(textOf(await ask(program, read("A", 3))), "a\n");
  });
});

Deno.test("a budget of changes binds no caller on stdio", async () => {
  cites("stdio.rights");
  const env = { SILVERBRIDGE_CHANGES_PER_HOUR: "1/1" };
  await withProgram({ ...running, env }, async (program) => {
    for (const id of [1, 2, 3]) {
      const params = { name: "create_page", arguments: { page: `P${id}`, content: "x" } };
      const { result } = await ask(program, { id, method: "tools/call", params });
      assert.equal(result?.["isError"], undefined, JSON.stringify(result));
    }
  });
});

Deno.test("the server worker on stdio can listen nowhere, and reaches SilverBullet alone", async () => {
  cites("stdio.rights", "fence.worker");
  const tries = [
    ["listen", "127.0.0.1 0"],
    ["listen", "127.0.0.1 8787"],
    ["listen through node", "127.0.0.1 8787"],
    ["connect", "127.0.0.1 1"],
    ["connect", "192.0.2.1 80"],
    ["read a file", "/etc/passwd"],
    ["list a folder", "/"],
    ["write a file", "/tmp/silverbridge-stdio-probe"],
  ];
  for (const each of tries) {
    const env = { SILVERBRIDGE_TEST_TRIES: JSON.stringify([each]), SILVERBRIDGE_PORT: "8787" };
    const probed = { script: ["tests/support/probe_stdio.ts"], wait: "no", env } as const;
    await withProgram(probed, async (program) => {
      await program.until(({ log }) => log.includes('{"probed"'));
      const line = program.log.split("\n").find((text) => text.startsWith('{"probed"')) ?? "";
      assert.deepEqual(JSON.parse(line).probed, { [each[0] ?? ""]: "NotCapable" }, each.join(" "));
    });
  }
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await Deno.writeTextFile(`${folder}/a.txt`, "text");
    const env = {
      SILVERBRIDGE_SILVERBULLET_URL: null,
      SILVERBRIDGE_SILVERBULLET_TOKEN: null,
      SILVERBRIDGE_ROOTS: `docs=${folder}`,
      SILVERBRIDGE_TEST_TRIES: JSON.stringify([["connect", "127.0.0.1 1"]]),
    };
    await withProgram({ script: ["tests/support/probe_stdio.ts"], wait: "no", env }, async (program) => {
      await program.until(({ log }) => log.includes('{"probed":{"connect":"NotCapable"}}'));
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function residentBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

Deno.test("stdio reads folders and documents, by the same child processes, and leaves none of them behind", async () => {
  cites("stdio.clients");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await Deno.writeTextFile(`${folder}/a.txt`, "plain text\n");
    await Deno.writeFile(`${folder}/b.docx`, makeDocx(paragraph("From a document")));
    const env = {
      ...{ SILVERBRIDGE_SILVERBULLET_URL: null, SILVERBRIDGE_SILVERBULLET_TOKEN: null },
      SILVERBRIDGE_ROOTS: `docs=${folder}`,
    };
    await withProgram({ ...running, env }, async (program) => {
      const read = (id: number, path: string) =>
        ask(program, {
          id,
          method: "tools/call",
          params: { name: "read_file", arguments: { root: "docs", path } },
        });
      assert.match(JSON.stringify((await read(1, "a.txt")).result), /plain text/);
      assert.match(JSON.stringify((await read(2, "b.docx")).result), /From a document/);
      assert.match(JSON.stringify((await read(3, "../secret")).result), /"isError":true/);
      await program.closeInput();
      assert.equal((await program.ended()).code, 0);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
