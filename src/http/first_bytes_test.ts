import assert from "node:assert/strict";
import { classifyFault, plainAnswer, usualCause } from "./first_bytes.ts";

function classify(code: string, text: string | null, requestsBefore = 0): string {
  const packet = text === null ? null : Uint8Array.from(text, (character) => character.charCodeAt(0));
  return classifyFault(code, { packet, bytesRead: packet?.byteLength ?? 0, requestsBefore });
}

Deno.test("first bytes are told apart by kind", () => {
  assert.equal(classify("HPE_ERROR", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), "tls");
  assert.equal(classify("HPE_PAUSED_H2_UPGRADE", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "http2");
  assert.equal(classify("HPE_ERROR", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "http2");
  assert.equal(classify("HPE_ERROR", "\0\x01\x02\x03hello"), "junk");
  assert.equal(classify("HPE_ERROR", "SSH-2.0-OpenSSH_9.2\r\n"), "junk");
  assert.equal(classify("HPE_ERROR", "GET /a b HTTP/1.1\r\n"), "bad-request");
  assert.equal(classify("HPE_ERROR", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), "bad-request");
  assert.equal(classify("HPE_HEADER_OVERFLOW", "GET / HTTP/1.1\r\n"), "headers-too-large");
  assert.equal(classify("ERR_HTTP_REQUEST_TIMEOUT", null), "empty");
  assert.equal(
    classifyFault("ERR_HTTP_REQUEST_TIMEOUT", { packet: null, bytesRead: 8, requestsBefore: 0 }),
    "slow",
  );
  assert.equal(
    classify("HPE_ERROR", "\x16\x03\x01", 1),
    "bad-request",
    "after a request it is no first byte",
  );
});

Deno.test("every kind has a usual cause and an answer without any content", () => {
  for (const kind of Object.keys(usualCause) as Array<keyof typeof usualCause>) {
    assert.ok(usualCause[kind].length > 20, kind);
    assert.match(
      plainAnswer(kind),
      /^HTTP\/1\.1 4\d\d [A-Z][A-Za-z ]+\r\nConnection: close\r\nContent-Length: 0\r\n\r\n$/,
    );
  }
});
