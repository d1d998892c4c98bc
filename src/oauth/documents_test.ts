import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { silentLogger } from "../core/log.ts";
import { openMemoryState } from "../state/state.ts";
import { Clients } from "./clients.ts";
import type { DocumentAnswer } from "./document_fetch.ts";
import { Documents } from "./documents.ts";

const id = "https://client.example/oauth/client.json";
const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata";
const minute = 60_000;
const day = 86_400_000;

function text(url: string, redirect = "https://client.example/cb"): string {
  return JSON.stringify({ client_id: url, client_name: "Example", redirect_uris: [redirect] });
}

function setUp() {
  const state = openMemoryState();
  const clock = new HandClock();
  const asked: string[] = [];
  let answer: (url: string) => DocumentAnswer | Promise<DocumentAnswer> = (url) => ({
    kind: "document",
    text: text(url),
    maxAge: null,
  });
  const documents = new Documents({
    state,
    clock,
    logger: silentLogger,
    fetch(url) {
      asked.push(url);
      return Promise.resolve(answer(url));
    },
  });
  const down = () => answer = () => ({ kind: "failed", fault: "status" });
  const answers = (next: typeof answer) => answer = next;
  const find = async (url = id, source = "1.1.1.1") => {
    const found = await documents.find(url, source);
    return found.kind === "client" ? `${found.client.redirectUris[0]} ${found.currency.kind}` : found.reason;
  };
  return { state, clock, documents, asked, down, answers, find };
}

Deno.test("a document is fetched once and used for an hour where its host says nothing", async () => {
  const { state, clock, asked, find } = setUp();
  assert.equal(await find(), "https://client.example/cb current");
  clock.advance(59 * minute);
  assert.equal(await find(), "https://client.example/cb current");
  assert.equal(asked.length, 1);
  clock.advance(minute);
  await find();
  assert.equal(asked.length, 2);
  state.close();
});

Deno.test("a document is kept between five minutes and a day, whatever its host says", async () => {
  for (
    const [maxAge, kept] of [[0, 5 * minute], [60, 5 * minute], [7200, 120 * minute], [
      999_999_999,
      day,
    ]] as const
  ) {
    const { state, clock, asked, find, answers } = setUp();
    answers((url) => ({ kind: "document", text: text(url), maxAge }));
    await find();
    clock.advance(kept - 1);
    await find();
    assert.equal(asked.length, 1, String(maxAge));
    clock.advance(1);
    await find();
    assert.equal(asked.length, 2, String(maxAge));
    state.close();
  }
});

Deno.test("while the host is down the earlier copy is used for a month, and said to be one", async () => {
  const { state, clock, find, down } = setUp();
  await find();
  down();
  clock.advance(2 * day);
  assert.equal(await find(), "https://client.example/cb earlier");
  clock.advance(28 * day);
  assert.equal(await find(), "document_unreachable");
  state.close();
});

Deno.test("a host that answers pages, other documents or private addresses changes nothing that is known", async () => {
  const bad: DocumentAnswer[] = [
    { kind: "document", text: "<!doctype html>", maxAge: null },
    { kind: "document", text: text("https://evil.example/x"), maxAge: null },
    { kind: "failed", fault: "private_address" },
    { kind: "failed", fault: "redirected" },
    { kind: "failed", fault: "too_large" },
  ];
  for (const answer of bad) {
    const { state, clock, find, answers } = setUp();
    answers(() => answer);
    assert.match(await find(), /^document_(?:refused|unreachable)$/);
    clock.advance(2 * minute);
    answers((url) => ({ kind: "document", text: text(url), maxAge: null }));
    assert.equal(await find(), "https://client.example/cb current", "and can be had once it is right");
    clock.advance(2 * day);
    answers(() => answer);
    assert.equal(await find(), "https://client.example/cb earlier");
    state.close();
  }
});

Deno.test("a document that changed counts as it is now", async () => {
  const { state, clock, find, answers } = setUp();
  await find();
  answers((url) => ({ kind: "document", text: text(url, "https://client.example/new"), maxAge: null }));
  clock.advance(day);
  assert.equal(await find(), "https://client.example/new current");
  state.close();
});

Deno.test("the built-in copy of a well-known document is used when nothing else is there", async () => {
  const { state, find, down, answers, clock } = setUp();
  down();
  assert.equal(await find(claude), "https://claude.ai/api/mcp/auth_callback built_in");
  answers((url) => ({ kind: "document", text: text(url, "https://claude.ai/other"), maxAge: null }));
  clock.advance(2 * minute);
  assert.equal(await find(claude), "https://claude.ai/other current");
  state.close();
});

Deno.test("a failed fetch rests a minute, and many wishes at once are one fetch", async () => {
  const { state, clock, asked, find, down, answers } = setUp();
  down();
  for (let round = 0; round < 5; round++) assert.equal(await find(), "document_unreachable");
  assert.equal(asked.length, 1);
  clock.advance(minute);
  const slow = Promise.withResolvers<DocumentAnswer>();
  answers(() => slow.promise);
  const all = Array.from({ length: 5 }, (_, index) => find(id, `2.2.2.${index}`));
  slow.resolve({ kind: "document", text: text(id), maxAge: null });
  assert.deepEqual(new Set(await Promise.all(all)), new Set(["https://client.example/cb current"]));
  assert.equal(asked.length, 2);
  state.close();
});

Deno.test("nobody can make this server fetch without end: ten a minute each, sixty in all, known ones not counted", async () => {
  const { state, asked, find } = setUp();
  for (let index = 0; index < 20; index++) await find(`https://a${index}.example/x`);
  assert.equal(asked.length, 10);
  assert.equal(await find("https://b.example/x"), "document_busy");
  assert.equal(await find("https://a1.example/x"), "https://client.example/cb current");
  for (let index = 0; index < 100; index++) await find(`https://c${index}.example/x`, `3.3.3.${index}`);
  assert.equal(asked.length, 60);
  assert.equal(
    await find(claude, "9.9.9.9"),
    "https://claude.ai/api/mcp/auth_callback built_in",
    "the owner gets in",
  );
  state.close();
});

Deno.test("strangers cannot push the documents of connected clients out", async () => {
  const { state, clock, find } = setUp();
  await find();
  state.db.prepare(
    "INSERT INTO grants (id, client, approval, made, expires, ends) VALUES ('g', ?, '{}', 0, 0, 0)",
  ).run(id);
  for (let index = 0; index < 600; index++) {
    clock.advance(10_000);
    await find(`https://d${index}.example/x`, `4.4.${index % 256}.1`);
  }
  const count = state.db.prepare("SELECT count(*) AS n FROM client_documents").get()?.["n"];
  assert.equal(count, 500);
  assert.equal(
    state.db.prepare("SELECT count(*) AS n FROM client_documents WHERE url = ?").get(id)?.["n"],
    1,
  );
  state.close();
});

Deno.test("a document at this server's own address is refused before anything is fetched", async () => {
  const { state, documents, asked } = setUp();
  const clients = new Clients({
    origin: "https://n.example",
    configured: null,
    registration: true,
    documents,
  });
  const found = await clients.find("https://n.example/authorize", "1.1.1.1");
  assert.deepEqual(found, { kind: "refused", reason: "document_refused" });
  assert.equal(asked.length, 0);
  state.close();
});
