import assert from "node:assert/strict";
import { commands, findCommand } from "./commands.ts";

Deno.test("every command of the table loads under its own name and summary", async () => {
  for (const entry of commands) {
    const command = await entry.load();
    assert.deepEqual([command.name, command.summary], [entry.name, entry.summary]);
    assert.equal(/[.]$/.test(entry.summary), false, "no full stop");
  }
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length);
});

Deno.test("findCommand() knows exact names alone", () => {
  assert.equal(findCommand("serve")?.name, "serve");
  for (const name of ["", "Serve", "ser", "constructor", "__proto__"]) {
    assert.equal(findCommand(name), null, name);
  }
});
