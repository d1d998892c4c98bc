import assert from "node:assert/strict";
import { authenticateClient } from "./client_authentication.ts";
import { Clients } from "./clients.ts";
import { Parameters } from "./parameters.ts";
import { register } from "./registration.ts";

const clients = new Clients({
  origin: "https://n.example",
  configured: { id: "my id:1", secret: "s:ecret+%", redirectUris: [] },
  registration: true,
  documents: null,
});

function registered(method: string) {
  const metadata = { redirect_uris: ["https://a.example/cb"], token_endpoint_auth_method: method };
  const answer = register(new TextEncoder().encode(JSON.stringify(metadata)), 0);
  if (typeof answer === "string") throw new Error(answer);
  return { id: answer.clientId, secret: String(answer.body["client_secret"] ?? "") };
}

function basic(id: string, secret: string): string {
  const form = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return `Basic ${new TextEncoder().encode(`${form(id)}:${form(secret)}`).toBase64()}`;
}

function outcome(body: Record<string, string>, authorization: string | null = null): string {
  const answer = authenticateClient(new Parameters(new URLSearchParams(body).toString()), {
    clients,
    authorization,
  });
  return answer.kind === "client" ? `client ${answer.client.id}` : answer.reason;
}

Deno.test("a client with a secret shows it in the body or by Basic, percent-encoded", () => {
  const id = "my id:1";
  const secret = "s:ecret+%";
  assert.equal(outcome({ client_id: id, client_secret: secret }), `client ${id}`);
  assert.equal(outcome({}, basic(id, secret)), `client ${id}`);
  assert.equal(outcome({ client_id: id }, basic(id, secret)), `client ${id}`);
  assert.equal(outcome({ client_id: id }), "client_not_authenticated");
  assert.equal(outcome({ client_id: id, client_secret: "wrong" }), "client_not_authenticated");
  assert.equal(outcome({}, basic(id, "wrong")), "client_not_authenticated");
  assert.equal(outcome({}, basic(id, "")), "client_not_authenticated");
  assert.equal(outcome({ client_secret: secret }, basic(id, secret)), "client_authenticated_twice");
  assert.equal(outcome({ client_id: "other" }, basic(id, secret)), "client_not_authenticated");
});

Deno.test("a client that registered with a secret needs it, and one that registered without needs none", () => {
  const confidential = registered("client_secret_post");
  assert.equal(
    outcome({ client_id: confidential.id, client_secret: confidential.secret }),
    `client ${confidential.id}`,
  );
  assert.equal(outcome({ client_id: confidential.id }), "client_not_authenticated");
  const other = registered("client_secret_post");
  assert.equal(
    outcome({ client_id: confidential.id, client_secret: other.secret }),
    "client_not_authenticated",
  );
  const open = registered("none");
  assert.equal(outcome({ client_id: open.id }), `client ${open.id}`);
  assert.equal(outcome({}, basic(open.id, "")), `client ${open.id}`);
});

Deno.test("nobody and malformed credentials are told apart from a wrong secret only where a client needs to know", () => {
  assert.equal(outcome({}), "client_missing");
  assert.equal(outcome({ client_id: "nobody" }), "client_unknown");
  assert.equal(
    outcome({ client_id: "https://claude.ai/oauth/x" }),
    "client https://claude.ai/oauth/x",
    "documents are off here, and what was approved before goes on",
  );
  for (
    const header of ["Basic", "Basic !!!", `Basic ${btoa("nocolon")}`, `Basic ${btoa("%zz:x")}`, "Basic /w=="]
  ) {
    assert.match(outcome({}, header), /^client_(?:not_authenticated|missing)$/, header);
  }
  assert.equal(outcome({}, "Bearer x"), "client_missing");
});
