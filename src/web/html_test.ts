import assert from "node:assert/strict";
import { escapeHtml, html } from "./html.ts";

Deno.test("html escapes every value in text and in quoted attributes", () => {
  const hostile = `"><script>alert('1')</script>&`;
  const page = html`<p title="${hostile}">${hostile}</p>`.toString();
  assert.equal(
    page,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">' +
      "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>",
  );
});

Deno.test("html keeps nested html, joins lists and drops absent values", () => {
  const items = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
  assert.equal(
    html`<ul>${items}</ul>${null}${undefined}${false}${0}`.toString(),
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
  );
});

Deno.test("escapeHtml() leaves other text alone", () => {
  assert.equal(escapeHtml("déjà — 🎉 `${x}`"), "déjà — 🎉 `${x}`");
});
