import assert from "node:assert/strict";
import { readCall } from "./call_body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function outcome(text: string, contentType: string | null = "application/json"): Promise<unknown> {
  const called = readCall(bytes(text), contentType);
  if (!(called instanceof Response)) return called;
  return `${called.status} ${(await called.json()).error}`;
}

Deno.test("readCall() knows the eight tools by the names of personal-mcp-bridge, and search by ours too", async () => {
  const names: readonly (readonly [string, string])[] = [
    ["list_roots", "list_roots"],
    ["list_files", "list_files"],
    ["read_file", "read_file"],
    ["read_file_range", "read_file_range"],
    ["tail_file", "tail_file"],
    ["read_multiple_files", "read_multiple_files"],
    ["get_file_info", "get_file_info"],
    ["search", "search_files"],
    ["search_files", "search_files"],
  ];
  for (const [name, tool] of names) {
    assert.deepEqual(await outcome(JSON.stringify({ tool: name, args: { a: 1 } })), { tool, args: { a: 1 } });
    assert.deepEqual(await outcome(JSON.stringify({ tool: name })), { tool, args: {} });
  }
});

Deno.test("readCall() knows no other tool", async () => {
  for (
    const name of [
      "read_page",
      "write_page",
      "server_status",
      "fetch",
      "search_pages",
      "Search",
      "read_file ",
      "roots",
      "__proto__",
      "constructor",
      "toString",
    ]
  ) {
    assert.equal(await outcome(JSON.stringify({ tool: name })), "400 unknown-tool", name);
  }
});

Deno.test("readCall() takes the envelope exactly", async () => {
  const table: readonly (readonly [text: string, expected: string])[] = [
    ["", "400 invalid-json"],
    [" ", "400 invalid-json"],
    ["{", "400 invalid-json"],
    ['{"tool":"list_roots"}x', "400 invalid-json"],
    ['{"tool":"list_roots","tool":"read_file"}', "400 invalid-json"],
    ['{"tool":"list_roots","args":{"n":NaN}}', "400 invalid-json"],
    ['{"tool":"list_roots","args":{"n":1e400}}', "400 invalid-json"],
    ['{"tool":"list_roots","args":{"q":"\\ud800"}}', "400 invalid-json"],
    ['\ufeff{"tool":"list_roots"}', "400 invalid-json"],
    [`{"tool":"list_roots","args":{"a":${"[".repeat(100_000)}`, "400 invalid-json"],
    ["[]", "400 json-object-required"],
    ['[{"tool":"list_roots"}]', "400 json-object-required"],
    ["null", "400 json-object-required"],
    ['"list_roots"', "400 json-object-required"],
    ["1", "400 json-object-required"],
    ["true", "400 json-object-required"],
    ["{}", "400 invalid-argument"],
    ['{"tool":""}', "400 invalid-argument"],
    ['{"tool":null}', "400 invalid-argument"],
    ['{"tool":1}', "400 invalid-argument"],
    ['{"tool":["list_roots"]}', "400 invalid-argument"],
    ['{"args":{}}', "400 invalid-argument"],
    ...["null", "0", "false", '""', "[]", '"x"', "[{}]"].map((args) =>
      [`{"tool":"list_roots","args":${args}}`, "400 invalid-argument"] as const
    ),
    ['{"tool":"list_roots","arguments":{}}', "400 invalid-argument"],
    ['{"tool":"list_roots","__proto__":{}}', "400 invalid-argument"],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', "400 invalid-argument"],
    ['{"tool":"read_file","args":{"max_chars":1.0}}', "400 invalid-argument"],
    ['{"tool":"read_file","args":{"max_chars":1e2}}', "400 invalid-argument"],
    ['{"tool":"read_file","args":{"max_chars":9007199254740993}}', "400 invalid-argument"],
  ];
  for (const [text, expected] of table) assert.equal(await outcome(text), expected, text.slice(0, 60));
});

Deno.test("readCall() takes JSON in UTF-8, or a body of which nobody says what it is", async () => {
  const body = '{"tool":"list_roots"}';
  const taken = [
    null,
    "application/json",
    "Application/JSON; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; charset=utf8; x=y",
    "application/x-www-form-urlencoded",
  ];
  for (const type of taken) assert.equal(typeof await outcome(body, type), "object", String(type));
  const refused = [
    "",
    "text/plain",
    "text/plain;charset=UTF-8",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset = latin1",
    "application/jsonp",
    "application/json, application/json",
    "text/html",
  ];
  for (const type of refused) assert.equal(await outcome(body, type), "415 unsupported-media-type", type);
});
