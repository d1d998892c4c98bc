import assert from "node:assert/strict";
import { formParameters, Parameters } from "./parameters.ts";

Deno.test("Parameters take an empty value for an absent one", () => {
  const parameters = new Parameters("a=&b=1&c");
  assert.deepEqual([parameters.one("a"), parameters.one("b"), parameters.one("c"), parameters.one("d")], [
    null,
    "1",
    null,
    null,
  ]);
  assert.deepEqual(parameters.all("a"), []);
});

Deno.test("Parameters say when one that matters came twice, even empty or equal; resource may repeat", () => {
  assert.equal(new Parameters("a=1&a=2").fault(["a"]), "parameter_repeated");
  assert.equal(new Parameters("a=1&a=1").fault(["a"]), "parameter_repeated");
  assert.equal(new Parameters("a=1&a=").fault(["a"]), "parameter_repeated");
  assert.equal(new Parameters("a=1&%61=2").fault(["a"]), "parameter_repeated");
  assert.equal(new Parameters("a=1&b=2&b=3").fault(["a"]), null);
  assert.equal(new Parameters("resource=x&resource=y").fault(["resource"]), null);
  assert.deepEqual(new Parameters("resource=x&resource=y").all("resource"), ["x", "y"]);
});

Deno.test("Parameters refuse control characters, endless values and endless lists", () => {
  assert.equal(new Parameters("state=a%0d%0aSet-Cookie:%20b").fault(["state"]), "parameter_malformed");
  assert.equal(new Parameters("state=a%00").fault(["state"]), "parameter_malformed");
  assert.equal(new Parameters(`state=${"x".repeat(8193)}`).fault(["state"]), "parameter_malformed");
  assert.equal(new Parameters(`state=${"x".repeat(8192)}`).fault(["state"]), null);
  assert.equal(new Parameters("a=1&".repeat(257)).fault([]), "parameter_malformed");
  const names = Array.from({ length: 256 }, (_, index) => `p${index}=1`).join("&");
  assert.equal(new Parameters(names).fault(["p0"]), null);
});

Deno.test("Parameters keep names like those of Object apart from its own", () => {
  const parameters = new Parameters("__proto__=1&constructor=2&hasOwnProperty=3");
  assert.deepEqual([parameters.one("__proto__"), parameters.one("toString")], ["1", null]);
});

Deno.test("formParameters() reads forms alone", () => {
  const body = new TextEncoder().encode("a=1%20b+c");
  assert.equal(formParameters(body, "application/x-www-form-urlencoded")?.one("a"), "1 b c");
  assert.equal(formParameters(body, "Application/X-WWW-Form-URLEncoded; charset=UTF-8")?.one("a"), "1 b c");
  for (
    const type of [null, "", "application/json", "text/plain", "multipart/form-data", "x-www-form-urlencoded"]
  ) {
    assert.equal(formParameters(body, type), null, String(type));
  }
});
