/** Bodies and addresses as no library sends them, to the running program over a raw socket. */

import assert from "node:assert/strict";
import { type Program } from "../support/app.ts";
import { withFilesProgram } from "../support/files_api.ts";
import { sendRaw, statusOf } from "../support/raw_http.ts";
import { cites } from "../requirements.ts";

const limit = 1_000_000;

interface Parts {
  readonly head?: readonly string[];
  readonly body?: string;
  /** Stays open until an answer came, as a client does that is not done sending. */
  readonly open?: boolean;
}

async function raw(program: Program, line: string, { head = [], body = "", open = false }: Parts = {}) {
  const lines = [`${line} HTTP/1.1`, "Host: localhost", ...(open ? [] : ["Connection: close"]), ...head];
  const { text } = await sendRaw(`${lines.join("\r\n")}\r\n\r\n${body}`, {
    port: program.port,
    waitMs: 20_000,
    ...(open ? { until: (text: string) => /\r\n\r\n[^]*\}$/.test(text) } : {}),
  });
  return { status: statusOf(text), code: /"error":"([^"]*)"/.exec(text)?.[1] ?? "", text };
}

const seen = ({ status, code }: { status: number | null; code: string }) => `${status} ${code}`.trim();
const length = (body: string) => `Content-Length: ${body.length}`;
const listRoots = '{"tool":"list_roots"}';

function chunked(pieces: readonly string[]): string {
  return [...pieces, ""].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
}

Deno.test("a body may come in any pieces, and is refused at the first byte over the limit", async () => {
  cites("files-api.exact");
  await withFilesProgram({}, async (program) => {
    const post = (parts: Parts) => raw(program, "POST /call", parts);
    assert.equal(seen(await post({ head: [length(listRoots)], body: listRoots })), "200");
    const pieces = { head: ["Transfer-Encoding: chunked"], body: chunked([...listRoots]) };
    assert.equal(seen(await post(pieces)), "200", "one byte a chunk");

    const padded = (size: number) => listRoots + " ".repeat(size - listRoots.length);
    assert.equal(
      seen(await post({ head: [length(padded(limit))], body: padded(limit) })),
      "200",
      "exactly the limit",
    );
    assert.equal(
      seen(await post({ head: [length(padded(limit + 1))], body: padded(limit + 1) })),
      "413 request-body-too-large",
    );
    const many = Array.from({ length: 101 }, () => " ".repeat(10_000));
    assert.equal(
      seen(await post({ head: ["Transfer-Encoding: chunked"], body: chunked(many) })),
      "413 request-body-too-large",
    );
    assert.equal(
      seen(await post({ head: ["Content-Length: 5000000"], open: true })),
      "413 request-body-too-large",
      "what is announced too large is not waited for",
    );
    for (const lie of ["abc", "-1", "+3", "1,1", "1e3", "0x10", "9".repeat(30)]) {
      const { status, text } = await post({ head: [`Content-Length: ${lie}`], body: listRoots });
      assert.ok(status === 400 || status === 413, `${lie}: ${text}`);
    }
    const short = await post({ head: ["Content-Length: 5"], body: listRoots });
    assert.equal(short.status, 400, "a body ends where its length says");
  });
});

Deno.test("no body makes the server fail or answer what it should not", async () => {
  cites("files-api.exact");
  await withFilesProgram({}, async (program) => {
    const post = (body: string, ...head: string[]) =>
      raw(program, "POST /call", { head: [length(body), ...head], body });
    const table: readonly (readonly [body: string, expected: string])[] = [
      ["", "400 invalid-json"],
      ["\xef\xbb\xbf" + listRoots, "400 invalid-json"],
      ['{"tool":"read_file","args":{"root":"notes","path":"\xff.txt"}}', "400 invalid-json"],
      ['{"tool":"read_file","args":{"root":"notes","path":"\xed\xa0\x80"}}', "400 invalid-json"],
      ["\xff\xfe{\0}\0", "400 invalid-json"],
      [`${listRoots}${listRoots}`, "400 invalid-json"],
      ['{"tool":"list_roots","tool":"read_file"}', "400 invalid-json"],
      ['{"tool":"list_roots","args":{"a":1,"\\u0061":2}}', "400 invalid-json"],
      [`{"tool":"list_roots","args":${"[".repeat(490_000)}${"]".repeat(490_000)}}`, "400 invalid-json"],
      [`{"tool":"list_roots","args":${'{"a":'.repeat(160_000)}`, "400 invalid-json"],
      [`{"tool":"list_roots","args":{"n":${"9".repeat(900_000)}}}`, "400 invalid-json"],
      [`{"tool":"list_roots","args":{"n":${"0".repeat(900_000)}1}}`, "400 invalid-json"],
      [`{"tool":"${"a".repeat(900_000)}"}`, "400 unknown-tool"],
      [`{"tool":"list_roots","args":{"${"a".repeat(900_000)}":1}}`, "400 invalid-argument"],
      [
        `{"tool":"read_file","args":{"root":"notes","path":"${"a".repeat(900_000)}"}}`,
        "400 invalid-argument",
      ],
      [`{"tool":"read_file","args":{"root":"${"a".repeat(900_000)}","path":"a"}}`, "403 unknown-root"],
      [`{"tool":"search","args":{"root":"notes","q":"${"a".repeat(900_000)}"}}`, "400 invalid-argument"],
      [
        `{"tool":"read_multiple_files","args":{"root":"notes","paths":[${Array(200_000).fill('"a"')}]}}`,
        "400 invalid-argument",
      ],
      ['{"tool":"list_roots","__proto__":{"args":{}}}', "400 invalid-argument"],
      ['{"tool":"list_roots","args":{"__proto__":{"root":"notes"}}}', "400 invalid-argument"],
      ['{"tool":"list_roots","args":{"constructor":{}}}', "400 invalid-argument"],
    ];
    for (const [body, expected] of table) {
      const answer = await post(body);
      assert.equal(seen(answer), expected, body.slice(0, 80));
      assert.ok(answer.text.length < 3000, "nothing long comes back");
    }
    for (const encoding of ["gzip", "br", "deflate", "identity, gzip"]) {
      assert.equal(seen(await post(listRoots, `Content-Encoding: ${encoding}`)), "415 unsupported-encoding");
    }
    for (const type of ["text/plain", "multipart/form-data", "application/json; charset=utf-16"]) {
      assert.equal(seen(await post(listRoots, `Content-Type: ${type}`)), "415 unsupported-media-type");
    }
    assert.equal(seen(await post(listRoots)), "200", "and it still answers");
  });
});

Deno.test("addresses are taken as sent: bytes, percent signs, two Hosts, foreign forms", async () => {
  cites("files-api.exact", "files-api.doors");
  await withFilesProgram(
    { files: { "é.txt": "accent\n", "100%.txt": "percent\n", "a b.txt": "space\n" } },
    async (program) => {
      const get = (target: string, ...head: string[]) => raw(program, `GET ${target}`, { head });
      const read = "/read?root=notes&path=";
      for (
        const [path, content] of [["%C3%A9.txt", "accent"], [
          "100%.txt",
          "percent",
        ]]
      ) {
        assert.match((await get(read + path)).text, new RegExp(`"content":"${content}`), path);
      }
      for (const path of ["a+b.txt", "a%20b.txt"]) {
        assert.match(
          (await get(read + path)).text,
          /"content":"space/,
        );
      }
      const table: readonly (readonly [target: string, expected: string])[] = [
        [`${read}%ff.txt`, "403 path-excluded"],
        [`${read}%c0%ae%c0%ae/x`, "403 path-excluded"],
        [`${read}%2e%2e/x`, "403 path-excluded"],
        [`${read}%252e%252e/x`, "404 file-not-found"],
        [`${read}ok%00.txt`, "403 path-excluded"],
        [`${read}a&path=b`, "400 invalid-argument"],
        ["/read?root=notes&root=notes&path=a", "400 invalid-argument"],
        ["/read?root=notes&path[]=a", "400 invalid-argument"],
        ["/read?root=notes&PATH=a", "400 invalid-argument"],
        ["/read", "400 invalid-argument"],
        ["/read?", "400 invalid-argument"],
        ["/roots?x=1", "400 invalid-argument"],
        ["/search?root=notes&q=%ff", "400 invalid-argument"],
        ["/search?root=notes&q=", "400 invalid-argument"],
        ["/search?root=notes&q=a%0ab", "400 invalid-argument"],
        ["/search?root=notes&query=a", "400 invalid-argument"],
        ["/search?root=notes&q=a&case_sensitive=1", "400 invalid-argument"],
        ["/x/../read?root=notes&path=a", "404 not-found"],
        ["//read?root=notes&path=a", "404 not-found"],
        ["/%72ead?root=notes&path=a", "404 not-found"],
        ["http://evil.example/roots", "400 bad-request"],
      ];
      for (const [target, expected] of table) {
        const answer = await get(target);
        assert.equal(seen(answer), expected, `${target}: ${answer.text.slice(-300)}`);
      }
      for (
        const number of [
          "1e3",
          "+5",
          "%2B5",
          "%EF%BC%90",
          "5.0",
          "0x10",
          "-1",
          "0",
          "%205",
          "9".repeat(20),
          "",
        ]
      ) {
        assert.equal(seen(await get(`${read}a&max_chars=${number}`)), "400 invalid-argument", number);
      }
      assert.equal(seen(await get("/roots", "Host: localhost")), "403 host-not-allowed", "two Hosts");
      assert.equal((await get(`${read}\xc3\xa9.txt`)).status, 400, "bytes that no address may have");
      const trace = await raw(program, "TRACE /roots");
      assert.equal(trace.status, 405);
      assert.doesNotMatch((await raw(program, "CONNECT localhost:80")).text, /^HTTP\/1\.1 200/);
      const withBody = await raw(program, "GET /roots", { head: [length(listRoots)], body: listRoots });
      assert.equal(withBody.status, 200, "a body of GET is not looked at");
    },
  );
});
