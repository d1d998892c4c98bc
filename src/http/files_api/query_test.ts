import assert from "node:assert/strict";
import fc from "fast-check";
import { queryArguments } from "./query.ts";

const properties = {
  root: { type: "string" },
  path: { type: "string" },
  q: { type: "string" },
  max_chars: { type: "integer" },
  case_sensitive: { type: "boolean" },
};

function args(query: string): unknown {
  const parsed = queryArguments(query, properties);
  return "args" in parsed ? parsed.args : parsed.problem;
}

Deno.test("queryArguments() brings any text through an encoded query unchanged", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((each) => each.isWellFormed());
  fc.assert(fc.property(text, text, (path, q) => {
    const query = `root=a&path=${encodeURIComponent(path)}&${new URLSearchParams({ q })}`;
    assert.deepEqual(args(query), { root: "a", path, q });
  }));
});

Deno.test("queryArguments() decodes once, and takes what curl leaves unencoded", () => {
  const table: readonly (readonly [query: string, path: string])[] = [
    ["path=%252e%252e%252fx", "%2e%2e%2fx"],
    ["path=a+b%20c", "a b c"],
    ["path=a%2Bb", "a+b"],
    ["path=100%&", "100%"],
    ["path=%zz%4", "%zz%4"],
    ["path=a=b=c", "a=b=c"],
    ["path=a;b?c", "a;b?c"],
    ["path=%c3%A9", "é"],
    ["path=%F0%9F%98%80", "😀"],
    ["path=ok.txt%00.png", "ok.txt\0.png"],
    ["path", ""],
    ["path=", ""],
  ];
  for (const [query, path] of table) assert.deepEqual(args(query), { path }, query);
});

Deno.test("queryArguments() makes numbers of digits and switches of true and false, and leaves everything else as text", () => {
  assert.deepEqual(args("max_chars=4000&case_sensitive=true"), { max_chars: 4000, case_sensitive: true });
  assert.deepEqual(args("max_chars=007&case_sensitive=false"), { max_chars: 7, case_sensitive: false });
  for (
    const text of [
      "1e3",
      "5.0",
      "0x10",
      "-1",
      "",
      "９",
      "10_000",
      "NaN",
      "1".repeat(17),
      "%205",
      "+5",
      "5%0A",
    ]
  ) {
    const value = (args(`max_chars=${text}`) as Record<string, unknown>)["max_chars"];
    assert.equal(typeof value, "string", text);
  }
  for (const text of ["True", "1", "yes", "on", "", "true%20"]) {
    const value = (args(`case_sensitive=${text}`) as Record<string, unknown>)["case_sensitive"];
    assert.equal(typeof value, "string", text);
  }
  assert.deepEqual(args("root=12&q=true"), { root: "12", q: "true" });
});

Deno.test("queryArguments() refuses a name that comes twice, in whatever spelling, and bytes that are not UTF-8", () => {
  assert.equal(args("root=a&root=b"), "`root` is given twice");
  assert.equal(args("root=a&%72oot=a"), "`root` is given twice");
  assert.equal(args("q=%ff"), "`q` is not in UTF-8");
  assert.equal(args("root=%ed%a0%80"), "`root` is not in UTF-8");
  assert.equal(args("%ff=1"), "`?` is not in UTF-8");
  assert.equal(args("<b>\n=%ff"), "`?b??` is not in UTF-8");
});

Deno.test("queryArguments() hands on a path with foreign bytes, which paths have their own refusal for", () => {
  assert.deepEqual(args("path=a%ffb"), { path: "a\ufffdb" });
  assert.deepEqual(args("path=%c0%afetc"), { path: "\ufffd\ufffdetc" });
});

Deno.test("queryArguments() hands on every other name, for the tool's parser to refuse; the gate's token alone is not one", () => {
  assert.deepEqual(args("root=a&path[]=x&__proto__=1&constructor=2&token=secret&=3"), {
    ...{ root: "a", "path[]": "x", constructor: "2", "": "3" },
    ["__proto__"]: "1",
  });
  assert.deepEqual(args(""), {});
  assert.deepEqual(args("&&"), {});
});
