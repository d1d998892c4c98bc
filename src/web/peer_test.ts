import assert from "node:assert/strict";
import { isForwarded, isLocalCaller, isLoopback, normalizeAddress } from "./peer.ts";

function headers(entries: Record<string, string>) {
  const map = new Headers(entries);
  return { header: (name: string) => map.get(name) };
}

Deno.test("normalizeAddress() writes mapped and zoned addresses in their plain form", () => {
  assert.equal(normalizeAddress("::ffff:127.0.0.1"), "127.0.0.1");
  assert.equal(normalizeAddress("::FFFF:10.0.0.9"), "10.0.0.9");
  assert.equal(normalizeAddress("fe80::1%eth0"), "fe80::1");
  assert.equal(normalizeAddress("2001:DB8::1"), "2001:db8::1");
});

Deno.test("isLoopback() knows 127.0.0.0/8 and ::1 and nothing that merely looks like them", () => {
  for (const address of ["127.0.0.1", "127.255.0.3", "::1"]) assert.equal(isLoopback(address), true, address);
  for (const address of ["", "128.0.0.1", "1127.0.0.1", "127.0.0.1.nip.io", "::2", "0.0.0.0", "localhost"]) {
    assert.equal(isLoopback(address), false, address);
  }
});

Deno.test("a forwarding header makes a loopback peer no local caller, even when it is empty", () => {
  const peer = { address: "127.0.0.1" };
  assert.equal(isLocalCaller({ peer, ...headers({}) }), true);
  for (
    const name of [
      "X-Forwarded-For",
      "Forwarded",
      "X-Real-IP",
      "Via",
      "CF-Connecting-IP",
      "True-Client-IP",
      "X-Forwarded-Host",
      "X-Forwarded-Proto",
      "X-Original-Host",
    ]
  ) {
    assert.equal(isForwarded(headers({ [name]: "" })), true, name);
    assert.equal(isLocalCaller({ peer, ...headers({ [name]: "127.0.0.1" }) }), false, name);
  }
});

Deno.test("a remote peer is never a local caller", () => {
  assert.equal(isLocalCaller({ peer: { address: "10.0.0.1" }, ...headers({}) }), false);
  assert.equal(isLocalCaller({ peer: { address: "" }, ...headers({}) }), false);
});
