import assert from "node:assert/strict";
import { isFormKey, isTicket, makeTicket, newFormKey } from "./form_ticket.ts";

const now = 1_800_000_000_000;

Deno.test("a ticket is good in its browser, for its subject, for half an hour", () => {
  const key = newFormKey();
  const parts = { key, subject: "client_id=a&state=b", now };
  const ticket = makeTicket(parts);
  assert.equal(isTicket(ticket, parts), true);
  assert.equal(isTicket(ticket, { ...parts, now: now + 30 * 60_000 - 1 }), true);
  assert.equal(isTicket(ticket, { ...parts, now: now + 30 * 60_000 }), false);
  assert.equal(isTicket(ticket, { ...parts, key: newFormKey() }), false);
  assert.equal(isTicket(ticket, { ...parts, subject: "client_id=evil&state=b" }), false);
  assert.equal(isTicket(ticket, { ...parts, now: now - 86_400_000 }), false, "nor one from the future");
});

Deno.test("a ticket cannot be changed or made up", () => {
  const parts = { key: newFormKey(), subject: "s", now };
  const ticket = makeTicket(parts);
  const [expires = "", mark = ""] = ticket.split(".");
  for (
    const forged of [
      "",
      ".",
      mark,
      `${Number(expires) + 1000}.${mark}`,
      `${expires}.${"A".repeat(43)}`,
      `${expires}.${mark}x`,
      ` ${ticket}`,
      `1e15.${mark}`,
    ]
  ) {
    assert.equal(isTicket(forged, parts), false, forged);
  }
});

Deno.test("isFormKey() takes only what newFormKey() makes", () => {
  assert.equal(isFormKey(newFormKey()), true);
  for (const text of [null, "", "a", "a".repeat(44), `${"a".repeat(42)}=`]) {
    assert.equal(isFormKey(text), false);
  }
});
