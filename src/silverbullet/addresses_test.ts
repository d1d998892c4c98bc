import assert from "node:assert/strict";
import { parsePageName } from "../core/page_name.ts";
import { parseAddresses } from "./addresses.ts";

Deno.test("parseAddresses() joins every route below the base, without a double slash", () => {
  const cases = [
    ["http://host:3000", "http://host:3000/.fs"],
    ["http://host:3000/", "http://host:3000/.fs"],
    ["https://Host.example/notes", "https://host.example/notes/.fs"],
    ["https://host.example/notes//", "https://host.example/notes/.fs"],
    ["https://host.example//a///b/?x=1#y", "https://host.example/a/b/.fs"],
    ["http://[::1]:3000/", "http://[::1]:3000/.fs"],
  ] as const;
  for (const [url, list] of cases) {
    const addresses = parseAddresses(url);
    assert.equal(addresses.list, list);
    const file = addresses.file(parsePageName("A b/ü?#%").path);
    assert.equal(file, `${list}/A%20b/%C3%BC%3F%23%25.md`);
    for (const one of [file, addresses.ping, addresses.config, addresses.events]) {
      assert.equal(new URL(one).href, one, "the URL parser leaves it as it is");
      assert.ok(!one.slice("https://".length).includes("//"));
    }
  }
});

Deno.test("parseAddresses() refuses what is no http address, and never quotes it", () => {
  for (
    const url of ["", "host:3000", "/notes", "ftp://host/", "file:///etc", "http://", "http://user:pw@host/"]
  ) {
    assert.throws(() => parseAddresses(url), (error: unknown) => {
      assert.ok(error instanceof TypeError);
      assert.ok(url === "" || !error.message.includes(url));
      return true;
    });
  }
});
