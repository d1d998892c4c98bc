/** No token, no local path and no stack frame in any answer or log line, whatever goes wrong (product §4.4, §11). */

import assert from "node:assert/strict";
import type { Fault } from "../../src/silverbullet/embedded/faults.ts";
import { cites } from "../requirements.ts";
import {
  mcpRequest,
  type Program,
  root,
  spaceToken,
  startProgram,
  token,
  withProgram,
} from "../support/app.ts";
import { sendRaw } from "../support/raw_http.ts";

const pageText = "canary-of-the-page-text";
const queryText = "canary-of-the-query-text";

/** What must not be seen, by name. The page's own text may be in answers, never in the log. */
function secrets(program: Program): Array<[string, RegExp]> {
  const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return [
    ["our token", new RegExp(escape(token))],
    ["the end of our token", new RegExp(escape(token.slice(-12)))],
    ["SilverBullet's token", new RegExp(escape(spaceToken))],
    ["the state folder", new RegExp(escape(program.stateDir))],
    ["the program's folder", new RegExp(escape(root.pathname))],
    ["the home folder", new RegExp(`${escape(Deno.env.get("HOME") ?? "/root")}/`)],
    ["a file address", /file:\/\//],
    ["a place in a source file", /\b[\w/.-]+\.(?:ts|js|mjs):\d+/],
    ["a stack frame", /(?:^|\\n)\s+at (?:async )?[\w.<>$# ]+ \(/m],
    ["an exception's own words", /os error \d+|Requires \w+ access|TypeError|NotCapable/],
  ];
}

async function answersOf(program: Program): Promise<string[]> {
  const answers: string[] = [];
  const take = async (request: Request) => {
    const response = await fetch(request, { redirect: "manual" });
    answers.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
  };
  for (const path of ["/", "/healthz", "/readyz", "/health", "/style.css", "/nowhere", "/.well-known/x"]) {
    await take(new Request(program.url + path));
    await take(
      new Request(program.url + path, { headers: { accept: "text/html", authorization: `Bearer ${token}` } }),
    );
    await take(new Request(`${program.url}${path}?token=${token}`));
  }
  for (
    const body of [
      "",
      "{",
      "[]",
      "null",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":1,"method":"x"}',
      "\xff",
    ]
  ) {
    await take(
      new Request(`${program.url}/mcp`, {
        method: "POST",
        headers: { "authorization": `Bearer ${token}`, "content-type": "application/json" },
        body,
      }),
    );
  }
  for (const bad of [`Bearer ${token}x`, `Basic ${token}`, `Bearer x ${token}`]) {
    await take(mcpRequest(program.url, { method: "tools/list" }, { authorization: bad }));
  }
  const tools = [...await listedTools(program), {
    name: "no_such_tool",
    annotations: { readOnlyHint: true },
  }];
  // At the same time, since each call that reads waits a while for a SilverBullet that does not answer; those of one tool
  // that writes come one after another, so that they get further.
  await Promise.all(tools.map(async ({ name, annotations }) => {
    const requests = toolCalls(program, name);
    const turns = annotations.readOnlyHint ? 8 : 1;
    await Promise.all(Array.from({ length: turns }, async () => {
      for (const request of requests) await take(request);
    }));
  }));
  await sendRaw(`GET /${token} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`, {
    port: program.port,
  });
  await sendRaw(`\x16\x03\x01${token}`, { port: program.port });
  return answers;
}

interface ListedTool {
  readonly name: string;
  readonly annotations: { readonly readOnlyHint: boolean };
}

async function listedTools(program: Program): Promise<ListedTool[]> {
  const response = await fetch(mcpRequest(program.url, { method: "tools/list" }));
  const { result } = await response.json();
  return result.tools;
}

/** A tool with names that mean nothing good, and with arguments that some tools take. */
function* toolCalls(program: Program, name: string): Generator<Request> {
  const pages = [
    "Secret",
    "Missing",
    "../etc/passwd",
    "/etc/passwd",
    "a\\b",
    "x".repeat(3000),
    "",
  ];
  for (const page of pages) {
    for (const args of [{ page, content: pageText }, { page }, { page, [queryText]: 1 }, {}]) {
      yield mcpRequest(program.url, { method: "tools/call", params: { name, arguments: args } });
    }
  }
  yield* fittingCalls(program, name);
}

/** What each tool takes, tried one after another: the wrong ones are refused, the right ones get further. */
function* fittingCalls(program: Program, name: string): Generator<Request> {
  const page = "Secret";
  const fitting = [
    { query: queryText },
    { query: queryText, mode: "exact" },
    { from: page, to: "Elsewhere/Secret" },
    { from: "Elsewhere/Secret", to: page },
    { page, content: pageText, if_match: "*" },
    { page, find: pageText, replace: `${pageText}, ${pageText}` },
    { page, find: queryText, replace: pageText },
    { page, start_line: 1, end_line: 1, content: pageText, expect: queryText },
    { page, start_line: 1, end_line: 1, content: pageText },
    { page, section: queryText, action: "append", content: pageText },
    { page, set: `status: ${pageText}` },
    { page, line: 2, text: queryText, state: "done" },
    { page, other_content: pageText },
    { change: queryText },
    { contains: queryText },
    { tag: queryText },
  ];
  for (const args of fitting) {
    yield mcpRequest(program.url, { method: "tools/call", params: { name, arguments: args } });
  }
}

function seesNothing(program: Program, answers: readonly string[]): void {
  for (const [name, pattern] of secrets(program)) {
    for (const answer of answers) assert.doesNotMatch(answer, pattern, `${name} in an answer`);
    assert.doesNotMatch(program.log, pattern, `${name} in the log`);
  }
  assert.equal(program.log.includes(pageText), false, "page text in the log");
  assert.equal(program.log.includes(queryText), false, "the text of a query in the log");
  assert.equal(program.log.includes('"incident"'), false, `an unexpected failure: ${program.log}`);
}

/** Those that take their time are met by fewer calls. */
const slowFaults: readonly Fault[] = [
  { kind: "torn_read" },
  { kind: "half_read" },
  { kind: "empty_window", ms: 20 },
  { kind: "mixed_write", other: pageText },
  { kind: "slow_body", ms: 20 },
  { kind: "slow_answer", ms: 20 },
  { kind: "setup_redirect" },
  { kind: "short_write", keep: 3 },
  { kind: "silent_short_write", keep: 3 },
  { kind: "silent_drop" },
  { kind: "lost_answer" },
  { kind: "lost_to_proxy" },
];

const faults: Array<Fault | null> = [
  null,
  { kind: "reset" },
  { kind: "status", status: 500, body: `stack at /srv/space/${spaceToken}` },
  { kind: "status", status: 502, html: true },
  { kind: "status", status: 401 },
  { kind: "html_page" },
  { kind: "login_redirect" },
];

for (const fault of faults) {
  const what = fault === null
    ? "a healthy SilverBullet"
    : `SilverBullet's fault ${JSON.stringify(fault.kind)}`;
  Deno.test(`no answer and no log line holds a secret, with ${what}`, async () => {
    cites("leaks.none");
    await withProgram({ space: { files: { "Secret.md": pageText } } }, async (program) => {
      if (fault !== null) program.space.faults.add({ fault, times: Infinity });
      const answers = await answersOf(program);
      program.space.faults.clear();
      program.kill("SIGTERM");
      assert.equal((await program.ended()).code, 0);
      assert.ok(answers.length > 250);
      seesNothing(program, answers);
    });
  });
}

for (const fault of slowFaults) {
  Deno.test(`no answer and no log line holds a secret, with SilverBullet's fault ${fault.kind}`, async () => {
    cites("leaks.none");
    await withProgram({ space: { files: { "Secret.md": pageText } } }, async (program) => {
      const tools = await listedTools(program);
      program.space.faults.add({ fault, times: 40 });
      const answers = await Promise.all(tools.map(async ({ name }) => {
        const texts: string[] = [];
        for (const request of fittingCalls(program, name)) texts.push(await (await fetch(request)).text());
        return texts;
      }));
      seesNothing(program, answers.flat());
    });
  });
}

Deno.test("starts that fail say why without a secret, a path or a frame", async () => {
  cites("leaks.none");
  const starts: Array<Record<string, string>> = [
    { SILVERBRIDGE_PORT: "x" },
    { SILVERBRIDGE_HOST: "0.0.0.0", SILVERBRIDGE_PUBLIC_MODE: "off" },
    { SILVERBRIDGE_HOST: "192.0.2.1", SILVERBRIDGE_PUBLIC_URL: "https://notes.example.org" },
    { SILVERBRIDGE_SILVERBULLET_URL: `http://user:${spaceToken}@127.0.0.1:1` },
    { SILVERBRIDGE_TOKEN_FILE: "/nonexistent/place", SILVERBRIDGE_TOKEN: token },
  ];
  await withProgram({}, async (running) => {
    for (const env of starts) {
      const program = await startProgram({ env, wait: "no" }, running);
      const { code, log } = await program.ended();
      assert.ok([64, 70, 78].includes(code), `${JSON.stringify(env)}: ${code} ${log}`);
      for (const [name, pattern] of secrets(running)) {
        assert.doesNotMatch(log, pattern, `${name} after ${JSON.stringify(env)}`);
      }
    }
  });
});
