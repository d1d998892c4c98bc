import assert from "node:assert/strict";
import { luaSettings } from "./lua_settings.ts";

function settingsOf(lua: string): Record<string, string> {
  return Object.fromEntries(luaSettings(`# Config\n\n\`\`\`space-lua\n${lua}\n\`\`\`\n`));
}

Deno.test("luaSettings() reads plain text however it is set", () => {
  const cases: [string, Record<string, string>][] = [
    [`config.set("journal.prefix", "Daily/")`, { "journal.prefix": "Daily/" }],
    [`config.set('journal.prefix','Daily/')`, { "journal.prefix": "Daily/" }],
    [`config.set("journal", { prefix = "D/", tag = "day" })`, {
      "journal.prefix": "D/",
      "journal.tag": "day",
    }],
    [`config.set { journal = { prefix = [[Log/]] } }`, { "journal.prefix": "Log/" }],
    [`config.set({ journal = { ["prefix"] = "A \\"b\\"/", }, other = 3 })`, { "journal.prefix": 'A "b"/' }],
    [`config.set { a = f{1,2}, plugs = {"x", "y"}, journal = { prefix = "D/" } }`, {}],
    [`config.set { a = f(1, {2}), journal = { prefix = "D/" } }`, { "journal.prefix": "D/" }],
    [`-- config.set("journal.prefix", "No/")\nconfig.set("journal.prefix", "Yes/")`, {
      "journal.prefix": "Yes/",
    }],
    [`--[[ config.set("a", "b") ]] config . set ( "c" , "d" )`, { c: "d" }],
    [`config.set("a", "1")\nconfig.set("a", "2")`, { a: "2" }],
    [`config.set("journal.prefix", os.date() .. "/")`, {}],
    [`config.set("journal.prefix", "D" .. "/")`, {}],
    [`config.set { journal = { prefix = "D" .. x, tag = "t" } }`, { "journal.tag": "t" }],
    [`myconfig.set("a", "b")`, {}],
    [`x = "config.set('a', 'b')"`, {}],
    [`config.set(`, {}],
    [`config.set { journal = { prefix = `, {}],
    [`config.set("a", "unclosed)`, {}],
  ];
  for (const [lua, wanted] of cases) assert.deepEqual(settingsOf(lua), wanted, lua);
});

Deno.test("luaSettings() reads Lua blocks alone", () => {
  const call = `config.set("a", "b")`;
  assert.deepEqual([...luaSettings(call)], []);
  assert.deepEqual([...luaSettings(`\`\`\`lua\n${call}\n\`\`\``)], []);
  assert.deepEqual([...luaSettings(`~~~space-lua\n${call}\n~~~`)], [["a", "b"]]);
  assert.deepEqual([...luaSettings(`\`\`\`space-lua\n-- priority: 99\n${call}\n\`\`\``)], [["a", "b"]]);
});

Deno.test("luaSettings() ends soon on hostile pages", () => {
  const begun = performance.now();
  for (
    const piece of ["config.set {", "{", "[[", "--[==[", '"\\', 'config.set("a",', "[=", "```space-lua\n"]
  ) {
    luaSettings("```space-lua\n" + piece.repeat(200_000));
    luaSettings("```space-lua\n" + piece.repeat(20_000) + "\n```\n");
  }
  assert(performance.now() - begun < 10_000);
});
