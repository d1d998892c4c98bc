import assert from "node:assert/strict";
import { type Connection, createDocumentFetch, type DocumentAnswer } from "./document_fetch.ts";
import { createPublicAddressCheck } from "./public_address.ts";

const url = "https://client.example/oauth/client.json?v=1";
const isPublicAddress = createPublicAddressCheck();

interface Script {
  readonly addresses?: readonly string[];
  /** What the host answers, in the pieces in which it comes. */
  readonly answer?: readonly (string | Uint8Array)[];
  readonly unreachable?: readonly string[];
  /** The host never ends its answer. */
  readonly hangs?: boolean;
}

async function fetchScript(script: Script) {
  const { addresses = ["93.184.216.34"], answer = [], unreachable = [] } = script;
  const connected: string[] = [];
  let sent = "";
  let open = 0;
  const fetchDocument = createDocumentFetch({
    isPublicAddress,
    version: "1",
    timeoutMs: 100,
    resolve: () => Promise.resolve(addresses),
    connect({ address, hostname }): Promise<Connection> {
      connected.push(`${address} as ${hostname}`);
      if (unreachable.includes(address)) return Promise.reject(new Error("refused"));
      open += 1;
      let isOpen = true;
      const pieces = answer.map((piece) =>
        typeof piece === "string" ? new TextEncoder().encode(piece) : piece
      );
      const closed = Promise.withResolvers<null>();
      return Promise.resolve({
        write(bytes) {
          sent += new TextDecoder().decode(bytes);
          return Promise.resolve();
        },
        read(into) {
          const piece = pieces.shift();
          if (piece === undefined) return script.hangs === true ? closed.promise : Promise.resolve(null);
          const taken = piece.subarray(0, into.byteLength);
          if (taken.byteLength < piece.byteLength) pieces.unshift(piece.subarray(taken.byteLength));
          into.set(taken);
          return Promise.resolve(taken.byteLength);
        },
        close() {
          open -= isOpen ? 1 : 0;
          isOpen = false;
          closed.resolve(null);
        },
      });
    },
  });
  const outcome = await fetchDocument(url);
  return { outcome, connected, sent, open };
}

function fault(outcome: DocumentAnswer): string {
  return outcome.kind === "failed" ? outcome.fault : "none";
}

const json = "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n";

Deno.test("a document is asked for at the address that was checked, under the name of its host", async () => {
  const { outcome, connected, sent } = await fetchScript({
    answer: [`${json}Content-Length: 2\r\nCache-Control: public, max-age=600\r\n\r\n{}`],
  });
  assert.deepEqual(outcome, { kind: "document", text: "{}", maxAge: 600 });
  assert.deepEqual(connected, ["93.184.216.34 as client.example"]);
  assert.match(sent, /^GET \/oauth\/client\.json\?v=1 HTTP\/1\.1\r\nHost: client\.example\r\n/);
  assert.match(sent, /\r\n\r\n$/);
});

Deno.test("a name with any address that is not public is never connected to", async () => {
  for (
    const addresses of [
      ["127.0.0.1"],
      ["10.0.0.1"],
      ["169.254.169.254"],
      ["::1"],
      ["::ffff:10.0.0.1"],
      ["fd00::1"],
      ["93.184.216.34", "192.168.1.1"],
      ["2606:4700::1111", "::1"],
      ["not an address"],
    ]
  ) {
    const { outcome, connected } = await fetchScript({ addresses });
    assert.deepEqual([fault(outcome), connected], ["private_address", []], addresses.join());
  }
  assert.equal(fault((await fetchScript({ addresses: [] })).outcome), "unresolved");
});

Deno.test("the second address is tried when the first does not answer", async () => {
  const { outcome, connected } = await fetchScript({
    addresses: ["2606:4700::1111", "93.184.216.34"],
    unreachable: ["2606:4700::1111"],
    answer: [`${json}\r\n{}`],
  });
  assert.equal(fault(outcome), "none");
  assert.equal(connected.length, 2);
  const none = await fetchScript({ unreachable: ["93.184.216.34"] });
  assert.equal(fault(none.outcome), "unreachable");
});

Deno.test("bodies by length, in chunks and to the end are read, in whatever pieces they come", async () => {
  const whole = [
    `${json}Content-Length: 9\r\n\r\n{"a":"é"}X`.replace("9", "10").replace("X", ""),
    `${json}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\n{"a":\r\n5\r\n"é"}\r\n0\r\n\r\n`,
    `${json}\r\n{"a":"é"}`,
  ];
  for (const text of whole) {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 100_000]) {
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / size) },
        (_, index) => bytes.slice(index * size, (index + 1) * size),
      );
      const { outcome, open } = await fetchScript({ answer: pieces });
      assert.deepEqual(outcome, { kind: "document", text: '{"a":"é"}', maxAge: null }, `${size} ${text}`);
      assert.equal(open, 0, "the connection is closed");
    }
  }
});

Deno.test("redirects, errors, pages, compressed, endless and malformed answers are no documents", async () => {
  const table: Array<[readonly (string | Uint8Array)[], string]> = [
    [["HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\n\r\n"], "redirected"],
    [["HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1/\r\n\r\n"], "redirected"],
    [["HTTP/1.1 503 Down\r\nContent-Type: application/json\r\n\r\n{}"], "status"],
    [["HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n{}"], "status"],
    [["HTTP/1.1 206 Partial\r\nContent-Type: application/json\r\n\r\n{}"], "status"],
    [["HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"], "not_json"],
    [["HTTP/1.1 200 OK\r\n\r\n{}"], "not_json"],
    [[`${json}Content-Encoding: gzip\r\n\r\n{}`], "not_json"],
    [[`${json}\r\n`, new Uint8Array([0xff, 0xfe])], "not_json"],
    [[`${json}Content-Length: 5000000\r\n\r\n`], "too_large"],
    [[`${json}\r\n`, "x".repeat(5_000_000)], "too_large"],
    [[`${json}Transfer-Encoding: chunked\r\n\r\n4c4b40\r\n`, "x".repeat(5_000_000)], "too_large"],
    [[`${json}Transfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(20_000)}0\r\n\r\n`], "malformed"],
    [[`HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}\r\n\r\n{}`], "too_large"],
    [[`${json}Content-Length: 10\r\n\r\n{}`], "malformed"],
    [[`${json}Content-Length: -1\r\n\r\n{}`], "malformed"],
    [[`${json}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`], "malformed"],
    [[`${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`], "malformed"],
    [[`${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}`], "malformed"],
    [["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}"], "malformed"],
    [["HTTP/2 200\r\n\r\n{}"], "malformed"],
    [[`${json} folded: x\r\n\r\n{}`], "malformed"],
    [["SSH-2.0-OpenSSH_9.2\r\n"], "malformed"],
    [[], "malformed"],
  ];
  for (const [answer, expected] of table) {
    const { outcome, open } = await fetchScript({ answer });
    assert.equal(fault(outcome), expected, String(answer[0]).slice(0, 80));
    assert.equal(open, 0);
  }
});

Deno.test("a host that never ends is given up, and its connection closed", async () => {
  for (const answer of [[], ["HTTP/1.1 200 OK\r\n"], [`${json}Content-Length: 10\r\n\r\n{`]]) {
    const { outcome, open } = await fetchScript({ answer, hangs: true });
    assert.equal(fault(outcome), "timeout");
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(open, 0);
  }
});

Deno.test("how long a document may be kept is what its host says", async () => {
  const table: Array<[string, number | null]> = [
    ["", null],
    ["Cache-Control: max-age=0\r\n", 0],
    ["cache-control: public,max-age=86400\r\n", 86400],
    ['Cache-Control: max-age="60"\r\n', 60],
    ["Cache-Control: no-store\r\n", 0],
    ["Cache-Control: no-cache, max-age=60\r\n", 0],
    ["Cache-Control: s-maxage=60\r\n", null],
    ["Cache-Control: max-age=abc\r\n", null],
  ];
  for (const [header, seconds] of table) {
    const { outcome } = await fetchScript({ answer: [`${json}${header}\r\n{}`] });
    assert.ok(outcome.kind === "document", header);
    assert.equal(outcome.maxAge, seconds, header);
  }
});
