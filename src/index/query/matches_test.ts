import assert from "node:assert/strict";
import { openIndexFile } from "../../state/index_file.ts";
import { expressionOf, Matches, phraseExpression } from "./matches.ts";
import { indexSchema } from "../store/schema.ts";

Deno.test("expressions are always words to look for, whatever text they are made of", () => {
  const file = openIndexFile({ dir: null, schema: indexSchema, version: 1 });
  try {
    file.db.prepare("INSERT INTO words (rowid, name, body) VALUES (4096, 'alpha', 'beta')").run();
    const matches = new Matches(file.db);
    for (
      const text of [
        'x" OR "beta',
        'x"',
        '"',
        "x\0 beta",
        "NEAR(alpha beta)",
        "name : alpha",
        "beta*",
        "^beta",
        "{",
        "alpha + x",
        "'",
      ]
    ) {
      for (const isPrefix of [false, true]) {
        const found = matches.docs(phraseExpression(text, { isPrefix }));
        assert.ok(found.size === 0 || text.startsWith("beta") || text.startsWith("^beta"), text);
      }
      const expression = expressionOf({ kind: "word", text });
      if (expression !== null) matches.docs(expression);
    }
    assert.equal(expressionOf({ kind: "word", text: "!?" }), null);
    assert.deepEqual([...matches.docs(phraseExpression("beta", { isPrefix: false }))], [1]);
  } finally {
    file.close();
  }
});
