/** What a delete meets when the server, a proxy, the line or another hand interferes. */

import assert from "node:assert/strict";
import type { UpstreamKind } from "../../src/core/errors.ts";
import type { Fault } from "../../src/silverbullet/embedded/faults.ts";
import { type Generation, generations, traitsOf } from "../../src/silverbullet/embedded/generations.ts";
import { connect, decode, encode, failureOf, hashOf, path, shortTimeouts } from "./connection.ts";

const page = path("Notes/Page.md");
const text = "What is to go.\n";
const otherHand = "Another hand's text.\n";

interface Expected {
  readonly result?: "deleted" | "changed";
  readonly guarantee?: string;
  readonly kind?: UpstreamKind;
  readonly outcome?: string;
  /** What the page holds in the end; `null`: nothing. Default: what was there. */
  readonly holds?: string | null;
}

interface FaultyDelete {
  readonly fault: Fault;
  readonly guarded: Expected;
  readonly conditional: Expected;
  readonly short?: boolean;
}

const refused = (kind: UpstreamKind): Expected => ({ kind, outcome: "unchanged" });
const done = (guarantee: string): Expected => ({ result: "deleted", guarantee, holds: null });

const faultyDeletes: readonly FaultyDelete[] = [
  both({ kind: "status", status: 500 }, refused("fault")),
  both({ kind: "status", status: 502, html: true }, refused("unreachable")),
  both({ kind: "status", status: 401 }, refused("auth")),
  both({ kind: "status", status: 404, html: true, body: "No space here" }, refused("html_page")),
  both({ kind: "login_redirect" }, refused("auth")),
  both({ kind: "html_page" }, refused("html_page")),
  both({ kind: "reset" }, refused("unreachable")),
  both({ kind: "lost_answer" }, done("verified")),
  both({ kind: "lost_to_proxy" }, done("verified")),
  both({ kind: "stalled_body" }, done("verified"), true),
  both({ kind: "slow_answer", ms: 60_000 }, { kind: "timeout", outcome: "unknown" }, true),
  {
    fault: { kind: "hand", when: "before", act: (files) => files.put(page, otherHand) },
    guarded: done("verified"),
    conditional: { result: "changed", holds: otherHand },
  },
  {
    fault: { kind: "hand", when: "before", act: (files) => void files.remove(page) },
    guarded: { result: "changed", holds: null },
    conditional: { result: "changed", holds: null },
  },
  {
    fault: { kind: "hand", when: "after", act: (files) => files.put(page, otherHand) },
    guarded: { result: "deleted", guarantee: "unverified", holds: otherHand },
    conditional: { result: "deleted", guarantee: "atomic", holds: otherHand },
  },
  {
    fault: { kind: "hand", when: "after", act: (files) => files.put(page, text) },
    guarded: refused("fault"),
    conditional: { result: "deleted", guarantee: "atomic", holds: text },
  },
];

for (const faulty of faultyDeletes) {
  Deno.test(`delete() says what became of the page: ${describe(faulty.fault)}`, async () => {
    // Deno servers answer 500 for a file that is not there, which is no sign of another hand.
    const isTold = (generation: Generation) =>
      generation !== "deno-2.0" || faulty.guarded.result !== "changed";
    await Promise.all(generations.filter(isTold).map((generation) => check(faulty, generation)));
  });
}

async function check(faulty: FaultyDelete, generation: Generation): Promise<void> {
  const expected = traitsOf(generation).conditional ? faulty.conditional : faulty.guarded;
  const timeouts = faulty.short ? shortTimeouts : {};
  await using connected = await connect({ generation, files: { [page]: text } }, { timeouts });
  const { store, server } = connected;
  await connected.connection.facts();
  server.faults.add({ fault: faulty.fault, verb: "DELETE" });
  const deleting = store.delete(page, { expect: hashOf(text) });
  if (expected.kind === undefined) {
    const result = await deleting;
    assert.equal(result.kind, expected.result, generation);
    if (result.kind === "deleted") assert.equal(result.guarantee, expected.guarantee, generation);
    else if (result.current !== null) assert.equal(decode(result.current), expected.holds, generation);
  } else {
    const failure = await failureOf(deleting, connected);
    assert.equal(failure.upstream, expected.kind, `${generation}: ${failure.message}`);
    assert.equal(failure.details["outcome"], expected.outcome, `${generation}: ${failure.message}`);
  }
  assert.equal(server.files.text(page), expected.holds === undefined ? text : expected.holds, generation);
  server.faults.clear();
  const next = await store.write(page, encode("afterwards"), { expect: { kind: "any" } });
  assert.equal(next.kind, "written", "the next change works");
}

function both(fault: Fault, expected: Expected, short = false): FaultyDelete {
  return { fault, guarded: expected, conditional: expected, short };
}

function describe(fault: Fault): string {
  return Object.values(fault).map((value) =>
    typeof value === "function" ? value.toString().slice(11, 60) : value
  )
    .join(" ");
}
