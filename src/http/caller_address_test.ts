import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import { createCallerAddress, createTrust } from "./caller_address.ts";

function address(peer: string, forwarded: string | null, proxies: string[] = []): string {
  const headers: Record<string, string> = forwarded === null ? {} : { "x-forwarded-for": forwarded };
  return createCallerAddress(createTrust(proxies))(handExchange({ peer, headers }));
}

Deno.test("caller address is the peer's, whatever it claims, unless the peer is a listed proxy", () => {
  assert.equal(address("203.0.113.9", "198.51.100.1"), "203.0.113.9");
  assert.equal(address("127.0.0.1", "198.51.100.1"), "127.0.0.1");
  assert.equal(address("10.0.0.2", "198.51.100.1", ["10.0.0.2"]), "198.51.100.1");
  assert.equal(address("10.0.0.3", "198.51.100.1", ["10.0.0.2"]), "10.0.0.3");
  assert.equal(address("10.9.9.9", "198.51.100.1", ["10.0.0.0/8"]), "198.51.100.1");
});

Deno.test("caller address is the last one that no listed proxy has, so that invented ones in front do nothing", () => {
  const proxies = ["10.0.0.0/8", "2001:db8::/32"];
  assert.equal(address("10.0.0.2", "1.1.1.1, 198.51.100.1", proxies), "198.51.100.1");
  assert.equal(address("10.0.0.2", "198.51.100.1, 10.0.0.7, 2001:db8::7", proxies), "198.51.100.1");
  assert.equal(address("10.0.0.2", "198.51.100.1:4711", proxies), "198.51.100.1");
  assert.equal(address("10.0.0.2", "10.0.0.3, 10.0.0.4", proxies), "10.0.0.2");
  for (const junk of ["", "unknown", "198.51.100.1, junk", "a".repeat(5000), "198.51.100.1,"]) {
    assert.equal(address("10.0.0.2", junk, proxies), "10.0.0.2", junk.slice(0, 30));
  }
});

Deno.test("caller address puts one IPv6 household under one key and keeps others apart", () => {
  const one = address("2001:db8:1:2:aaaa::1", null);
  assert.equal(address("2001:db8:1:2:bbbb:cccc:dddd:eeee", null), one);
  assert.equal(address("2001:0db8:0001:0002::9", null), one);
  assert.notEqual(address("2001:db8:1:3::1", null), one);
  assert.equal(address("::1", null), "0:0:0:0::/64");
});

Deno.test("trust ignores entries that are no address", () => {
  const trusts = createTrust([
    "",
    "proxy.example",
    "10.0.0.0/99",
    "10.0.0.0/x",
    "[2001:db8::1]",
    "::ffff:192.0.2.1",
  ]);
  assert.equal(trusts("10.0.0.1"), false);
  assert.equal(trusts("2001:db8::1"), true);
  assert.equal(trusts("192.0.2.1"), true);
  assert.equal(trusts("proxy.example"), false);
  assert.equal(trusts(""), false);
});
