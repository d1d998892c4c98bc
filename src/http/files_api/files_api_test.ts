import assert from "node:assert/strict";
import { z } from "zod";
import { type ExchangeParts, handExchange } from "../../../tests/support/exchange.ts";
import type { Principal } from "../../core/principal.ts";
import { createRights } from "../../core/rights.ts";
import type { RunOutcome, RunRequest } from "../../tools/run.ts";
import { defineTool } from "../../tools/tool.ts";
import { createFilesApi } from "./files_api.ts";
import { type FileRoute, fileRoutes, toolOfRoute } from "./tools.ts";

const someone: Principal = {
  id: "token:a",
  kind: "token",
  name: "a",
  rights: createRights({ layers: [], hidden: [], roots: "all" }),
  profile: "standard",
};

const readFile = defineTool({
  name: "read_file",
  title: "Read",
  description: "Reads",
  family: "folders",
  input: z.object({ root: z.string(), max_chars: z.int().optional(), offset: z.int().optional() }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: [],
  synonyms: { offset: "offset" },
  errors: [],
  deadline: 1000,
  handle: () => Promise.reject(new Error("Never called")),
});

const done: RunOutcome = {
  kind: "done",
  result: { blocks: [{ type: "text", text: '{"content":"é\\ud83d"}' }] },
  plain: true,
};

function failed(json: Record<string, unknown>): RunOutcome {
  return { kind: "failed", answer: { text: "never shown", json }, plain: false };
}

async function ask(route: FileRoute | "call", parts: ExchangeParts, outcome: RunOutcome = done) {
  const asked: RunRequest[] = [];
  const run = (request: RunRequest) => {
    asked.push(request);
    return Promise.resolve(outcome);
  };
  const exchange = handExchange(parts);
  const body = parts.body === undefined ? null : new TextEncoder().encode(String(parts.body));
  const response = await createFilesApi({ run, tools: [readFile] })[route]({
    exchange,
    principal: someone,
    body,
  });
  return { response, text: await response.text(), request: asked[0], noted: exchange.noted, exchange };
}

Deno.test("an address becomes an exact call of its tool, by the caller itself", async () => {
  for (const route of fileRoutes) {
    const { request, exchange } = await ask(route, {
      target: `/${route}?root=a`,
      headers: { "user-agent": "curl/8" },
    });
    assert.equal(request?.name, toolOfRoute[route]);
    assert.deepEqual([request?.principal, request?.exact, request?.requestId], [someone, true, exchange.id]);
    assert.deepEqual(request?.caller, { client: "curl/8", userAgent: "curl/8" });
    assert.equal(request?.signal, exchange.signal, "who hangs up ends the call");
  }
  const typed = await ask("read", { target: "/read?root=12&max_chars=34&offset=5" });
  assert.deepEqual(typed.request?.arguments, { root: "12", max_chars: 34, offset: 5 });
  const called = await ask("call", { method: "POST", body: '{"tool":"search","args":{"max_chars":"34"}}' });
  assert.deepEqual([called.request?.name, called.request?.arguments, called.request?.exact], [
    "search_files",
    { max_chars: "34" },
    true,
  ]);
});

Deno.test("a result goes out as the tool wrote it, a picture beside its facts", async () => {
  const { response, text } = await ask("read", { target: "/read" });
  assert.equal(text, '{"content":"é\\ud83d"}', "half a pair stays the escape that it is");
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "application/json"]);
  assert.equal(response.headers.get("cache-control"), "no-store");
  const picture = await ask("read", { target: "/read" }, {
    kind: "done",
    plain: false,
    result: {
      blocks: [{ type: "text", text: '{"ref":"a/b.png"}' }, {
        type: "image",
        data: "AAAA",
        mimeType: "image/png",
      }],
    },
  });
  assert.equal(picture.text, '{"ref":"a/b.png","image":{"data":"AAAA","mimeType":"image/png"}}');
});

Deno.test("a failure has its status, one code for wrong arguments, and addresses where it names tools", async () => {
  const failure = failed({
    error: "invalid-params",
    status: 400,
    message: "Cannot run `read_file`",
    remediation: "Call `list_files` or `read_multiple_files`.",
    close: ["`read_file`"],
  });
  const { response, text, noted } = await ask("read", { target: "/read" }, failure);
  assert.equal(response.status, 400);
  assert.deepEqual(JSON.parse(text), {
    error: "invalid-argument",
    status: 400,
    message: "Cannot run `read_file`",
    remediation: "Call `GET /files` or `read_multiple_files`.",
    close: ["`read_file`"],
  });
  assert.equal(noted["code"], "invalid-argument");
  const called = await ask("call", { method: "POST", body: '{"tool":"read_file"}' }, failure);
  assert.equal(JSON.parse(called.text).remediation, "Call `list_files` or `read_multiple_files`.");
});

Deno.test("a disk that does not answer is worth another try; a fault has its incident; nobody is answered who left", async () => {
  const json = { error: "permission-denied", status: 503, message: "m", remediation: "r", retryable: true };
  const slow = await ask("files", { target: "/files" }, failed(json));
  assert.deepEqual([slow.response.status, slow.response.headers.get("retry-after")], [503, "5"]);
  const fault = { error: "internal-error", status: 500, message: "m", remediation: "r", incident: "ab12" };
  const broken = await ask("files", { target: "/files" }, failed(fault));
  assert.deepEqual([broken.response.status, JSON.parse(broken.text).incident], [500, "ab12"]);
  assert.equal(broken.response.headers.get("retry-after"), null);
  const left = await ask(
    "files",
    { target: "/files" },
    failed({ error: "upstream", status: 499, message: "m" }),
  );
  assert.deepEqual([left.response.status, left.text], [499, ""]);
});

Deno.test("for a caller without folders there are none, as on a server that has none", async () => {
  const unknown: RunOutcome = { kind: "unknown", close: ["read_page"] };
  assert.deepEqual(JSON.parse((await ask("roots", { target: "/roots" }, unknown)).text), {
    roots: [],
    empty: true,
  });
  const { response, text } = await ask("read", { target: "/read?root=a" }, unknown);
  assert.deepEqual([response.status, JSON.parse(text).error], [403, "unknown-root"]);
  assert.doesNotMatch(text, /read_page/);
});

Deno.test("what is refused before a tool runs is noted with its code, and runs nothing", async () => {
  for (const parts of [{ target: "/read?root=a&root=b" }, { target: "/read?root=%ff" }]) {
    const { response, request, noted } = await ask("read", parts);
    assert.deepEqual([response.status, request, noted["code"]], [400, undefined, "invalid-argument"]);
  }
  const { response, request, noted } = await ask("call", { method: "POST", body: '{"tool":""}' });
  assert.deepEqual([response.status, request, noted["code"]], [400, undefined, "invalid-argument"]);
});
