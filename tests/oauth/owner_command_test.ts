/** `silverbridge owner` on a terminal: what is typed is not shown, must come twice, and can be broken off. */

import assert from "node:assert/strict";
import { keptPassphrase } from "../../src/core/secrets.ts";
import { cites } from "../requirements.ts";
import { hasTerminal, onTerminal } from "../support/terminal.ts";

const passphrase = "correct hörse battery staple";
const [first, again] = ["Owner's secret: ", "The same again: "];
const ready = await hasTerminal();
const unless = ready ? "" : " (skipped: no terminal can be made here)";

Deno.test({
  name: `owner shows nothing of what is typed, takes it when it comes twice the same, and hashes it${unless}`,
  ignore: !ready,
  fn: async () => {
    cites("oauth.owner-secret");
    const typos = `correct x\u007fhö\u007förse battery staple\r`;
    const { code, text } = await onTerminal(["owner"], [
      { after: first, keys: typos },
      { after: again, keys: `${passphrase}\r` },
    ]);
    assert.equal(code, 0, text);
    assert.equal(/correct|battery|staple/.test(text), false, text);
    const hash = /scrypt\$\S+/.exec(text)?.[0] ?? "";
    assert.equal(await keptPassphrase(hash)?.matches(passphrase), true, "characters were taken back whole");
    assert.equal(await keptPassphrase(hash)?.matches("correct horse battery staple"), false);
  },
});

Deno.test({
  name: `owner makes no hash of two that differ, of a short one, or of one that was broken off${unless}`,
  ignore: !ready,
  fn: async () => {
    const table: Array<[string, Parameters<typeof onTerminal>[1], RegExp]> = [
      ["another the second time", [{ after: first, keys: `${passphrase}\r` }, {
        after: again,
        keys: `${passphrase}r\r`,
      }], /not the same/],
      ["too short", [{ after: first, keys: "too short\r" }], /at least 12 characters/],
      ["broken off", [{ after: first, keys: `${passphrase}\u0003` }], /^[^]*$/],
      ["broken off the second time", [{ after: first, keys: `${passphrase}\r` }, {
        after: again,
        keys: "\u0003",
      }], /not the same/],
      ["ended", [{ after: first, keys: "\u0004" }], /^[^]*$/],
    ];
    for (const [what, typed, says] of table) {
      const { code, text } = await onTerminal(["owner"], typed);
      assert.equal(code, 64, what);
      assert.match(text, says, what);
      assert.equal(/scrypt\$|battery/.test(text), false, what);
    }
  },
});
