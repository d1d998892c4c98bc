/** Keeps `tests/requirements.ts` and the tests together: every promise is cited by a test that runs, and every citation is known. */

import assert from "node:assert/strict";
import { requirements } from "../requirements.ts";
import { readAll } from "./tree.ts";

interface Citation {
  readonly id: string;
  /** False outside a test's own function: such a citation proves nothing. */
  readonly inTest: boolean;
}

function citationsIn(path: string, text: string): Citation[] {
  const found: Citation[] = [];
  const rule: Deno.lint.Rule = {
    create: (context) => ({
      CallExpression(node) {
        if (node.callee.type !== "Identifier" || node.callee.name !== "cites") return;
        const inTest = context.sourceCode.getAncestors(node).some((ancestor) =>
          ancestor.type === "CallExpression" &&
          /^(Deno\.test|t\.step)$/.test(context.sourceCode.getText(ancestor.callee))
        );
        for (const argument of node.arguments) {
          found.push({ id: argument.type === "Literal" ? String(argument.value) : "(computed)", inTest });
        }
      },
    }),
  };
  Deno.lint.runPlugin({ name: "citations", rules: { rule } }, path, text);
  return found;
}

const citations = readAll((path) => path.endsWith("_test.ts")).flatMap(([path, text]) =>
  citationsIn(path, text)
);

Deno.test("every requirement is cited by a test that runs", () => {
  const cited = new Set(citations.filter(({ inTest }) => inTest).map(({ id }) => id));
  assert.deepEqual(Object.keys(requirements).filter((id) => !cited.has(id)), []);
});

Deno.test("every citation names a requirement, inside a test", () => {
  const wrong = citations.filter(({ id, inTest }) => !inTest || !Object.hasOwn(requirements, id));
  assert.deepEqual(wrong, []);
});

Deno.test("every requirement says what happens and where that is promised", () => {
  for (const [id, { behaviour, source }] of Object.entries(requirements)) {
    assert.match(id, /^[a-z][a-z-]*(\.[a-z][a-z-]*)+$/);
    assert.match(behaviour, /^[A-Z].{20,}[^.]$/, id);
    assert.notEqual(source, "", id);
  }
});

Deno.test("citationsIn() tells a citation in a test from one outside", () => {
  const text =
    `Deno.test("a", () => { cites("in.a", "in.b"); }); Deno.test("b", async (t) => { await t.step("c", () => cites("in.c")); });
    function outside() { cites("out.a"); } Deno.test.other("d", () => cites("out.b")); Deno.test("e", () => cites(name));`;
  assert.deepEqual(citationsIn("a_test.ts", text), [
    { id: "in.a", inTest: true },
    { id: "in.b", inTest: true },
    { id: "in.c", inTest: true },
    { id: "out.a", inTest: false },
    { id: "out.b", inTest: false },
    { id: "(computed)", inTest: true },
  ]);
});
