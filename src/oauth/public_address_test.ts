import assert from "node:assert/strict";
import { createPublicAddressCheck } from "./public_address.ts";

const isPublic = createPublicAddressCheck();

Deno.test("public addresses are those that the whole Internet can reach", () => {
  for (
    const address of [
      "1.1.1.1",
      "8.8.8.8",
      "100.63.255.255",
      "100.128.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "198.17.255.255",
      "198.20.0.0",
      "223.255.255.255",
      "2606:4700:4700::1111",
      "2a00:1450:4001:81b::200e",
      "64:ff9b::808:808",
      "64:ff9b::1.1.1.1",
    ]
  ) {
    assert.equal(isPublic(address), true, address);
  }
});

Deno.test("private, local, reserved, wrapped and malformed addresses are not public", () => {
  for (
    const address of [
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.1",
      "100.64.0.1",
      "100.127.255.255",
      "127.0.0.1",
      "127.255.255.254",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.1",
      "192.0.2.1",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "198.51.100.7",
      "203.0.113.7",
      "224.0.0.1",
      "239.255.255.255",
      "240.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::ffff:8.8.8.8",
      "::ffff:127.0.0.1",
      "::8.8.8.8",
      "64:ff9b::7f00:1",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::808:808",
      "100::1",
      "fc00::1",
      "fd12:3456::1",
      "fe80::1",
      "fec0::1",
      "ff02::1",
      "2001::1",
      "2001:db8::1",
      "2002:7f00:1::",
      "2002:808:808::1",
      "3fff::1",
      "2606:4700::1%eth0",
      "",
      "localhost",
      "127.1",
      "2130706433",
      "0x7f000001",
      "8.8.8.8 ",
      "8.8.8",
    ]
  ) {
    assert.equal(isPublic(address), false, address);
  }
});
