import assert from "node:assert/strict";
import { z } from "zod";
import type { AuditEvent } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { createLogger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { createRights, type VerbGlobs } from "../core/rights.ts";
import { createRunner, type RunnerOptions, type RunOutcome } from "./run.ts";
import { defineTool, type Tool, type ToolCall, type ToolResult } from "./tool.ts";

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const writing = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
const everything: VerbGlobs = {
  read: ["**"],
  append: ["**"],
  create: ["**"],
  write: ["**"],
  delete: ["**"],
};

type Handle = (input: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<ToolResult>;

function readTool(handle: Handle): Tool {
  return defineTool({
    name: "read_page",
    title: "Read",
    description: "Reads",
    family: "server",
    input: z.object({ page: z.string() }),
    hints: reading,
    verbs: ["read"],
    synonyms: {},
    errors: [],
    deadline: 30_000,
    handle,
  });
}

function writeTool(handle: Handle): Tool {
  return defineTool({
    name: "write_page",
    title: "Write",
    description: "Writes",
    family: "server",
    input: z.object({ page: z.string(), dry_run: z.boolean().default(false) }),
    hints: writing,
    verbs: ["write", "create"],
    synonyms: {},
    errors: [],
    deadline: 30_000,
    handle,
  });
}

const done: Handle = async () => ({ blocks: [{ type: "text", text: "done" }] });

/** A clock that only moves when it is told to. */
function handClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    pass(ms) {
      now += ms;
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake();
    },
  };
}

interface Setup {
  readonly grants?: VerbGlobs;
  readonly profile?: Principal["profile"];
  readonly options?: Partial<RunnerOptions>;
}

function setUp(tools: readonly Tool[], { grants = everything, profile = "full", options = {} }: Setup = {}) {
  const clock = handClock();
  const audited: AuditEvent[] = [];
  const logged: string[] = [];
  const runner = createRunner({
    tools,
    services: { notes: null, status: { describe: async () => ({}) } },
    readOnly: false,
    errorStyle: "flag",
    clock,
    logger: createLogger({ level: "debug", format: "json", clock, write: (line) => logged.push(line) }),
    audit: (event) => audited.push(event),
    ...options,
  });
  const principal: Principal = {
    id: "token:a",
    kind: "token",
    name: "laptop",
    rights: createRights({ layers: [grants], hidden: [], roots: "all" }),
    profile,
  };
  const caller = { principal, caller: { client: "codex" } };
  return {
    runner,
    clock,
    audited,
    logged,
    caller,
    run: (name: string, given: unknown, signal = new AbortController().signal): Promise<RunOutcome> =>
      runner.run({ ...caller, name, arguments: given, requestId: "r1", signal }),
  };
}

function failure(outcome: RunOutcome): Readonly<Record<string, unknown>> {
  assert.equal(outcome.kind, "failed");
  return outcome.kind === "failed" ? outcome.answer.json : {};
}

Deno.test("run() answers what the handler answered, and logs the call without its content", async () => {
  const { run, logged } = setUp([readTool(done)]);
  assert.deepEqual(await run("read_page", { page: "Secret plan" }), {
    kind: "done",
    result: { blocks: [{ type: "text", text: "done" }] },
    plain: false,
  });
  const line: unknown = JSON.parse(logged[0] ?? "");
  assert.deepEqual(line, {
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    event: "tool",
    request: "r1",
    client: "token:a",
    tool: "read_page",
    outcome: "ok",
    ms: 0,
    bytes: 4,
  });
});

Deno.test("run() logs the bytes of an answer as they go out, and the caller as the other lines name it", async () => {
  const blocks = [{ type: "text", text: "a – 日本" }, {
    type: "image",
    data: "aGk=",
    mimeType: "image/png",
  }] as const;
  const { run, logged } = setUp([readTool(() => Promise.resolve({ blocks: [...blocks] }))]);
  await run("read_page", { page: "A" });
  await run("read_page", {});
  const lines = logged.map((line): Record<string, unknown> => JSON.parse(line));
  assert.deepEqual(lines.map(({ client, bytes }) => [client, bytes]), [["token:a", 16], [
    "token:a",
    undefined,
  ]]);
});

Deno.test("run() passes on an expected failure as it is", async () => {
  const refuse: Handle = () =>
    Promise.reject(new AppError({ code: "not_found", message: "No page", remedy: "Look again." }));
  const { run } = setUp([readTool(refuse)]);
  const json = failure(await run("read_page", { page: "A" }));
  assert.deepEqual(json, { error: "not_found", status: 404, message: "No page", remediation: "Look again." });
});

Deno.test("run() tells nothing of an unexpected failure but an incident id, however it was thrown", async () => {
  const bugs: readonly Handle[] = [
    () => Promise.reject(new RangeError("token=hunter2 at /home/me/notes")),
    () => {
      throw new TypeError("token=hunter2 at /home/me/notes");
    },
    () => Promise.reject("token=hunter2 at /home/me/notes"),
    () => Promise.reject(undefined),
  ];
  for (const bug of bugs) {
    const { run, logged } = setUp([readTool(bug)]);
    const outcome = await run("read_page", { page: "A" });
    const json = failure(outcome);
    assert.equal(json["error"], "internal");
    assert.match(String(json["incident"]), /^[0-9a-z]{12}$/);
    for (const text of [JSON.stringify(outcome), ...logged]) {
      assert.ok(!/hunter2|\/home\/me/.test(text), text);
    }
    assert.ok(logged.some((line) => line.includes(String(json["incident"]))), "the log knows the incident");
  }
});

Deno.test("run() knows no tool that the rights forbid, whatever the profile shows", async () => {
  const { run, runner, caller, audited } = setUp([readTool(done), writeTool(done)], {
    grants: { read: ["**"] },
  });
  assert.deepEqual(await run("write_page", { page: "A" }), { kind: "unknown", close: [] });
  assert.deepEqual(audited.map((event) => event.outcome), ["forbidden_path"]);
  assert.deepEqual(await run("read_pages", {}), { kind: "unknown", close: ["read_page"] });
  assert.equal(audited.length, 1);
  assert.deepEqual(runner.list(caller).map((tool) => tool.name), ["read_page"]);
});

Deno.test("run() lowers the rights that a profile lowers, inside the handler too", async () => {
  let seen: ToolCall | undefined;
  const look: Handle = async (_, call) => {
    seen = call;
    return await done({}, call);
  };
  const { run } = setUp([readTool(look), writeTool(done)], { profile: "read" });
  assert.equal((await run("write_page", { page: "A" })).kind, "unknown");
  assert.equal((await run("read_page", { page: "A" })).kind, "done");
  assert.equal(seen?.principal.rights.allowsSomewhere("write"), false);
});

Deno.test("run() runs a tool that the profile does not show when the rights allow it", async () => {
  const hidden = { ...readTool(done), name: "server_status" };
  const { run, runner, caller } = setUp([hidden], { profile: "standard" });
  assert.deepEqual(runner.list(caller), []);
  assert.equal((await run("server_status", { page: "A" })).kind, "done");
  assert.match(String(failure(await run("server_status", {}))["remediation"]), /Call `server_status` again/);
});

Deno.test("run() answers read_only to a writing tool on a read-only server, and has it on no list", async () => {
  let ran = false;
  const write: Handle = async (input, call) => {
    ran = true;
    return await done(input, call);
  };
  const { run, runner, caller, audited } = setUp([readTool(done), writeTool(write)], {
    options: { readOnly: true },
  });
  assert.equal(failure(await run("write_page", { page: "A" }))["error"], "read_only");
  assert.deepEqual(runner.list(caller).map((tool) => tool.name), ["read_page"]);
  assert.equal(ran, false);
  assert.deepEqual(audited.map((event) => event.outcome), ["read_only"]);
});

Deno.test("run() gives up at the deadline even on a handler that will not stop, and says what it knows", async () => {
  const stubborn = Promise.withResolvers<ToolResult>();
  let signal: AbortSignal | undefined;
  const wait: Handle = (_, call) => {
    signal = call.signal;
    return stubborn.promise;
  };
  const { run, clock, runner, audited } = setUp([writeTool(wait)]);
  const outcome = run("write_page", { page: "A" });
  await Promise.resolve();
  clock.pass(30_000);
  const json = failure(await outcome);
  assert.deepEqual([json["error"], json["kind"], json["status"]], ["upstream", "timeout", 504]);
  assert.equal(json["outcome"], "unknown");
  assert.equal(json["retryable"], undefined);
  assert.equal(signal?.aborted, true);
  assert.deepEqual(audited.map((event) => event.outcome), ["upstream"]);
  let idle = false;
  const settled = runner.idle().then(() => idle = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(idle, false, "the handler still runs");
  stubborn.reject(new Error("too late"));
  await settled;
});

Deno.test("run() hands the caller's cancellation to the handler, and one that came before the call", async () => {
  const wait: Handle = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const { run, logged } = setUp([readTool(wait)]);
  const control = new AbortController();
  const outcome = run("read_page", { page: "A" }, control.signal);
  control.abort();
  assert.equal(failure(await outcome)["status"], 499);
  assert.equal(failure(await run("read_page", { page: "A" }, control.signal))["status"], 499);
  assert.ok(!logged.some((line) => line.includes("incident")), "no fault of ours");
});

Deno.test("run() writes one audit event for every change and every refusal of one", async () => {
  const event: AuditEvent = {
    action: "write",
    tool: "write_page",
    principal: "token:a",
    requestId: "r1",
    outcome: "ok",
    change: "c1",
  };
  const conflict: Handle = () =>
    Promise.reject(new AppError({ code: "conflict", message: "Changed", remedy: "Read." }));
  const itself: Handle = async (input, call) => {
    call.audit(event);
    return await done(input, call);
  };
  const cases: readonly (readonly [Tool, unknown, readonly string[]])[] = [
    [writeTool(itself), { page: "A" }, ["write ok"]],
    [writeTool(done), { page: "A" }, ["write_page ok"]],
    [writeTool(done), { page: "A", dry_run: true }, []],
    [writeTool(conflict), { page: "A" }, ["write_page conflict"]],
    [writeTool(conflict), { page: "A", dry_run: true }, ["write_page conflict"]],
    [writeTool(done), {}, ["write_page invalid_argument"]],
    [readTool(done), { page: "A" }, []],
  ];
  for (const [tool, given, wanted] of cases) {
    const { run, audited } = setUp([tool]);
    await run(tool.name, given);
    assert.deepEqual(audited.map(({ action, outcome }) => `${action} ${outcome}`), wanted);
  }
});

Deno.test("run() audits who did what to which page, and no content", async () => {
  const { run, audited } = setUp([writeTool(done)]);
  await run("write_page", { page: "Projects/Alpha" });
  assert.deepEqual(audited, [{
    action: "write_page",
    tool: "write_page",
    page: "Projects/Alpha.md",
    principal: "token:a",
    client: "codex",
    requestId: "r1",
    outcome: "ok",
  }]);
});

Deno.test("run() leaves the flag and output schemas away for callers whose client hides flagged text", async () => {
  const listing = { ...readTool(done), output: z.strictObject({ rows: z.array(z.string()) }) };
  const { run, runner, caller } = setUp([listing], { options: { errorStyle: "content" } });
  const outcome = await run("read_page", {});
  assert.equal(outcome.kind === "failed" && outcome.plain, true);
  assert.equal(runner.list(caller)[0]?.outputSchema, undefined);
  assert.notEqual(setUp([listing]).runner.list(caller)[0]?.outputSchema, undefined);
});
