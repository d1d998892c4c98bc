import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import { createHostGate, hostName } from "./host_gate.ts";

function gate(allowed: string[] = [], wildcardBind = false) {
  const refused: string[] = [];
  const judge = createHostGate({ allowed, wildcardBind, onRefused: (host) => refused.push(host) });
  return {
    refused,
    async passes(host: string): Promise<boolean> {
      const answer = judge(handExchange({ headers: { host } }));
      if (!(answer instanceof Response)) return true;
      assert.equal(answer.status, 403);
      assert.equal((await answer.json()).error, "host-not-allowed");
      return false;
    },
  };
}

const hostile = [
  "evil.com",
  "localhost.evil.com",
  "evil.com:80",
  "localhost:80@evil",
  "user@localhost",
  "localhost:8787/admin?",
  "h/admin?",
  "localhost/",
  "localhost?",
  "localhost#",
  "127.0.0.1.nip.io",
  "127.1",
  "127.0.0.2",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "0.0.0.0",
  "[::ffff:127.0.0.1]",
  "[::1",
  "::1",
  "[::2]",
  "[0:0:0:0:0:0:0:1]",
  "localhost, evil.com",
  "localhost localhost",
  "localhost:",
  "localhost:80:80",
  "localhost:999999",
  "localhost..",
  ".localhost",
  "local host",
  " localhost",
  "*",
  "",
  "\u0131ocalhost",
  "localhost\u3002",
  "xn--",
];

Deno.test("host gate lets only exact loopback names in on a server that is published nowhere", async () => {
  const { passes } = gate();
  for (
    const host of [
      "localhost",
      "localhost:8787",
      "LOCALHOST:1",
      "localhost.",
      "127.0.0.1",
      "127.0.0.1:8787",
      "[::1]",
      "[::1]:8787",
    ]
  ) {
    assert.equal(await passes(host), true, host);
  }
  for (const host of hostile) assert.equal(await passes(host), false, JSON.stringify(host));
});

Deno.test("host gate lets listed names in whatever the port, and nothing that merely contains them", async () => {
  const { passes } = gate([
    "notes.example.org",
    "Other.Example:8443",
    "[2001:db8::5]",
    "2001:db8::6",
    "pi:*",
  ]);
  for (
    const host of [
      "notes.example.org",
      "NOTES.example.org:443",
      "other.example",
      "[2001:db8::5]:80",
      "[2001:db8::6]",
      "pi:8787",
    ]
  ) {
    assert.equal(await passes(host), true, host);
  }
  for (
    const host of [
      "notes.example.org.evil.com",
      "xnotes.example.org",
      "notes.example.org@evil.com",
      "example.org",
      "notes.example.org, notes.example.org",
    ]
  ) {
    assert.equal(await passes(host), false, host);
  }
});

Deno.test("host gate lets addresses in, but no names, where the server listens on every address", async () => {
  const { passes } = gate([], true);
  for (const host of ["192.168.1.5:8787", "10.0.0.9", "[fe80::1]:8787", "[2001:db8::5]"]) {
    assert.equal(await passes(host), true, host);
  }
  for (const host of ["evil.com", "192.168.1.5.nip.io", "192.168.1.5@evil", "1.2.3.4.5"]) {
    assert.equal(await passes(host), false, host);
  }
});

Deno.test("host gate reports a refused host cut short and printable", async () => {
  const { passes, refused } = gate();
  await passes(`evil\n\u001b[31m${"x".repeat(500)}`);
  await passes("");
  assert.equal(refused[0]?.length, 100);
  assert.match(refused[0] ?? "", /^evil\?\?\[31mx+$/);
  assert.equal(refused[1], "(none)");
});

Deno.test("hostName() answers lower case without port and one trailing dot", () => {
  assert.equal(hostName("Notes.Example.ORG.:8443"), "notes.example.org");
  assert.equal(hostName("[::1]:1"), "[::1]");
  assert.equal(hostName("a..b"), null);
});
