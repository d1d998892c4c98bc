import assert from "node:assert/strict";
import { type Consent, consentRights, readGlobs } from "./consent.ts";
import { type ConsentBounds, formOf, readConsent } from "./consent_form.ts";
import { Parameters } from "./parameters.ts";

const bounds: ConsentBounds = {
  write: true,
  sees: ["**"],
  changes: ["**"],
  roots: ["docs", "papers"],
  profile: "standard",
  rule: null,
};
const asked = { write: true, offline: false };

function sent(body: string, change: Partial<ConsentBounds> = {}, asks = asked) {
  return readConsent(formOf(new Parameters(body)), { bounds: { ...bounds, ...change }, asked: asks });
}

Deno.test("a form without limits gives everything that was asked for, within the bounds", () => {
  assert.deepEqual(sent("decision=approve"), {
    write: true,
    sees: ["**"],
    changes: ["**"],
    roots: ["docs", "papers"],
    profile: null,
  });
  assert.deepEqual(sent("access=write", { write: false }), {
    write: false,
    sees: ["**"],
    changes: [],
    roots: ["docs", "papers"],
    profile: null,
  });
  const reader = sent("access=write", {}, { write: false, offline: false });
  assert.ok("write" in reader && !reader.write && reader.changes.length === 0);
});

Deno.test("reading alone, limits, folders and profile are taken as chosen", () => {
  const body =
    "access=write&sees=A/**%0d%0aB/*%0d%0a&changes=A/In/**&roots_shown=1&root=docs&root=evil&profile=read";
  assert.deepEqual(sent(body), {
    write: true,
    sees: ["A/**", "B/*"],
    changes: ["A/In/**"],
    roots: ["docs"],
    profile: "read",
  });
  const reading = sent("access=read&changes=X/**&roots_shown=1&profile=owner");
  assert.deepEqual(reading, { write: false, sees: ["**"], changes: [], roots: [], profile: null });
});

Deno.test("a limit on what is seen limits changes, too, unless they are given", () => {
  const consent = sent("access=write&sees=A/**&changes=+%0d%0a+");
  assert.ok("write" in consent);
  assert.deepEqual(consent.changes, ["A/**"]);
});

Deno.test("malformed limits are refused, never ignored", () => {
  for (const glob of ["/A", "A/", "!A", "A//B", "../A", "{A,B}/**", "[a]", "A\\B", "x".repeat(501)]) {
    assert.deepEqual(sent(`sees=${encodeURIComponent(glob)}`), { field: "sees" }, glob);
    assert.deepEqual(sent(`changes=${encodeURIComponent(glob)}`), { field: "changes" }, glob);
  }
  assert.equal(readGlobs(Array.from({ length: 101 }, (_, index) => `P${index}/**`).join("\n")), null);
  assert.deepEqual(readGlobs(" A/** , B \n\nA/**"), ["A/**", "B"]);
});

Deno.test("a form begins with what the owner gave the last time", () => {
  const earlier: Consent = {
    write: true,
    sees: ["A/**"],
    changes: ["A/In/**"],
    roots: ["docs"],
    profile: "full",
  };
  const form = formOf(null, { consent: earlier, askedWrite: true });
  assert.deepEqual(form, {
    access: "write",
    sees: "A/**",
    changes: "A/In/**",
    roots: ["docs"],
    profile: "full",
  });
  assert.deepEqual(readConsent(form, { bounds, asked }), earlier);
  const all: Consent = { write: false, sees: ["**"], changes: [], roots: [], profile: null };
  assert.deepEqual(readConsent(formOf(null, { consent: all, askedWrite: true }), { bounds, asked }), all);
  assert.equal(formOf(null, { consent: all, askedWrite: false }).access, "write", "it was not refused then");
});

Deno.test("consentRights() gives reading by one list and every change by the other", () => {
  const consent: Consent = { write: true, sees: ["**"], changes: ["In/**"], roots: [], profile: null };
  const changes = ["In/**"];
  assert.deepEqual(consentRights(consent), {
    read: ["**"],
    append: changes,
    create: changes,
    write: changes,
    delete: changes,
  });
  assert.deepEqual(consentRights({ ...consent, write: false }), { read: ["**"] });
});
