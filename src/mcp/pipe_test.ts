import assert from "node:assert/strict";
import type { Clock } from "../core/clock.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import type { News } from "../notes/feed/change_news.ts";
import { principal, showing } from "../../tests/support/mcp_endpoint.ts";
import { echo, steps, waitTool } from "../../tests/support/small_tools.ts";
import { StepClock, turns, until } from "../../tests/support/step_clock.ts";
import { createMcpEndpoint, type McpEndpoint } from "./endpoint.ts";
import { Pipe, type PipeOptions } from "./pipe.ts";
import { codes, RpcFault } from "./rpc.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Both ends of a pipe in memory. */
class Wire {
  readonly told: Message[] = [];
  readonly #source = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#source.writable.getWriter();
  readonly pipe: Pipe;
  readonly running: Promise<void>;
  /** Settles when a line may go out; open unless a test holds it. */
  taken: Promise<void> = Promise.resolve();

  constructor(endpoint: McpEndpoint, options: Partial<PipeOptions> = {}) {
    this.pipe = new Pipe({
      endpoint,
      principalOf: (client) =>
        principal({ id: client === null ? "stdio" : `stdio:${client}`, kind: "stdio" }),
      input: this.#source.readable,
      write: async (line) => {
        await this.taken;
        this.told.push(JSON.parse(line));
      },
      ...{ maxLineBytes: 100_000, clock: systemClock, logger: silentLogger },
      ...options,
    });
    this.running = this.pipe.run();
  }

  async send(message: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  }

  async answer(id: number): Promise<Message> {
    await until(() => this.told.some((message) => message.id === id), { most: 50_000 });
    return this.told.find((message) => message.id === id) ?? {};
  }

  async end(): Promise<boolean> {
    await this.#writer.close().catch(() => {});
    await this.running;
    return await this.pipe.drain(5000);
  }
}

function endpointOf(tools: Parameters<typeof createMcpEndpoint>[0]["tools"]): McpEndpoint {
  return createMcpEndpoint({
    tools,
    services: { notes: null, folders: null, status: { describe: async () => ({}) } },
    version: "0.0.0-test",
    ...{ readOnly: false, errorStyle: "auto", maxBodyBytes: 100_000, instructions: null },
    profiles: showing(tools.map(({ name }) => name)),
    ...{ logger: silentLogger, audit: () => {}, clock: systemClock },
  });
}

function call(
  name: string,
  given: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  return { method: "tools/call", params: { name, arguments: given, ...more } };
}

Deno.test("a pipe carries progress before the answer, in order", async () => {
  const endpoint = endpointOf([steps]);
  const wire = new Wire(endpoint);
  await wire.send({ id: 1, ...call("steps", {}, { _meta: { progressToken: "p" } }) });
  await wire.answer(1);
  assert.deepEqual(wire.told.map(({ method, params }) => params?.["progress"] ?? method ?? "answer"), [
    1,
    2,
    3,
    "answer",
  ]);
  assert.equal(await wire.end(), true);
  await endpoint.close();
});

Deno.test("a pipe stops the handler of a call that is cancelled, and answers it no more, in both eras", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  };
  for (const more of [{}, { _meta: meta }]) {
    const running = Promise.withResolvers<AbortSignal>();
    const endpoint = endpointOf([waitTool(running.resolve), echo]);
    const wire = new Wire(endpoint);
    await wire.send({ id: "a", ...call("wait", {}, more) });
    const signal = await running.promise;
    await wire.send({ method: "notifications/cancelled", params: { requestId: "other" } });
    await wire.send({ id: 2, ...call("echo", { text: "still here" }) });
    await wire.answer(2);
    assert.equal(signal.aborted, false, "another id is another call");
    await wire.send({ method: "notifications/cancelled", params: { requestId: "a" } });
    await until(() => signal.aborted);
    await wire.send({ id: 3, ...call("echo", { text: "done" }) });
    await wire.answer(3);
    assert.deepEqual(wire.told.map(({ id }) => id), [2, 3]);
    assert.equal(await wire.end(), true);
    await endpoint.close();
  }
});

Deno.test("a pipe reads no further while many calls wait for a client that takes no answer, and loses none of them", async () => {
  const endpoint = endpointOf([echo]);
  const wire = new Wire(endpoint);
  const gate = Promise.withResolvers<void>();
  wire.taken = gate.promise;
  let sent = 0;
  const sending = (async () => {
    for (let id = 1; id <= 300; id++) {
      await wire.send({ id, ...call("echo", { text: `${id}` }) });
      sent = id;
    }
  })();
  await turns(200);
  assert.ok(sent < 100, `${sent} were taken in`);
  gate.resolve();
  await sending;
  await wire.answer(300);
  assert.equal(await wire.end(), true);
  assert.equal(new Set(wire.told.map(({ id }) => id)).size, 300);
  await endpoint.close();
});

Deno.test("a pipe has one caller, of the name that the client gave itself first", async () => {
  const endpoint = endpointOf([echo]);
  const asked: (string | null)[] = [];
  const wire = new Wire(endpoint, {
    principalOf: (client) => {
      asked.push(client);
      return principal({ kind: "stdio" });
    },
  });
  const clientInfo = { name: "first", version: "1" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await wire.send({ id: 1, method: "initialize", params: hello });
  await wire.answer(1);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "second", version: "1" },
  };
  await wire.send({ id: 2, ...call("echo", { text: "as another" }, { _meta: meta }) });
  await wire.answer(2);
  await wire.send({
    id: 3,
    method: "initialize",
    params: { ...hello, clientInfo: { ...clientInfo, name: "third" } },
  });
  await wire.answer(3);
  assert.deepEqual(asked, [null, "first"]);
  await wire.end();
  await endpoint.close();
});

Deno.test("a pipe gives up calls that do not end, and says so", async () => {
  const clock = new StepClock();
  const running = Promise.withResolvers<AbortSignal>();
  const endpoint = endpointOf([waitTool(running.resolve)]);
  const wire = new Wire(endpoint, { clock });
  await wire.send({ id: 1, ...call("wait", {}) });
  const signal = await running.promise;
  const ended = wire.end();
  await turns();
  await clock.advance(5000);
  assert.equal(await ended, false);
  assert.equal(signal.aborted, true);
  await endpoint.close();
});

/** An endpoint of which only the watch is real. */
function watched(mayWatch: () => boolean = () => true) {
  const listeners = new Set<(news: readonly News[]) => void>();
  const endpoint = endpointOf([echo]);
  const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };
  const watch: McpEndpoint["watch"] = async (_call, told) => {
    if (!mayWatch()) throw new RpcFault(codes.server, "Cannot watch: SilverBullet is away");
    listeners.add(told);
    return () => void listeners.delete(told);
  };
  const wire = new Wire({ ...endpoint, watch }, { clock });
  return {
    wire,
    listeners,
    tell: (...news: News[]) => listeners.forEach((listener) => listener(news)),
    close: async () => {
      await wire.end();
      await endpoint.close();
    },
  };
}

const uri = "silverbullet://page/My%20Page";

Deno.test("resources/subscribe tells of a page under the address that was given, and unsubscribe ends it", async () => {
  const { wire, tell, listeners, close } = watched();
  await wire.send({ id: 1, method: "resources/subscribe", params: { uri } });
  assert.deepEqual((await wire.answer(1)).result, {});
  tell({ kind: "changed", path: "Other.md" }, { kind: "changed", path: "My Page.md" }, {
    kind: "deleted",
    path: "My Page.md",
  });
  await until(() => wire.told.length === 2);
  await turns();
  assert.deepEqual(wire.told.slice(1).map(({ method, params }) => [method, params]), [
    ["notifications/resources/updated", { uri }],
  ]);
  await wire.send({ method: "notifications/initialized" });
  await turns();
  tell({ kind: "created", path: "New.md" });
  await until(() => wire.told.length === 3);
  assert.equal(wire.told[2]?.method, "notifications/resources/list_changed");
  await wire.send({ id: 2, method: "resources/unsubscribe", params: { uri } });
  await wire.answer(2);
  tell({ kind: "changed", path: "My Page.md" });
  await turns();
  assert.equal(wire.told.length, 4);
  await close();
  assert.equal(listeners.size, 0, "nobody listens for a pipe that has ended");
});

Deno.test("resources/subscribe refuses what is no page, too many of them, and tries again after a failure", async () => {
  let isThere = false;
  const { wire, tell, listeners, close } = watched(() => isThere);
  await wire.send({ id: 1, method: "resources/subscribe", params: { uri } });
  assert.match((await wire.answer(1)).error?.message ?? "", /SilverBullet is away/);
  isThere = true;
  for (
    const [id, bad] of [[2, "folder://docs/a"], [3, "silverbullet://page/"], [4, 7], [5, undefined]] as const
  ) {
    await wire.send({ id, method: "resources/subscribe", params: { uri: bad } });
    assert.equal((await wire.answer(id)).error?.code, -32602, String(bad));
  }
  for (let id = 100; id < 356; id++) {
    await wire.send({ id, method: "resources/subscribe", params: { uri: `silverbullet://page/P${id}` } });
    assert.deepEqual((await wire.answer(id)).result, {});
  }
  await wire.send({ id: 6, method: "resources/subscribe", params: { uri } });
  assert.match((await wire.answer(6)).error?.message ?? "", /At most 256/);
  assert.equal(listeners.size, 1, "one watch for all of them");
  tell({ kind: "changed", path: "P355.md" });
  await until(() => wire.told.some(({ params }) => params?.["uri"] === "silverbullet://page/P355"));
  await close();
});
