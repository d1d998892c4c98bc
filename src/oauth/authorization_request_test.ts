import assert from "node:assert/strict";
import { Clients } from "./clients.ts";
import { judgeRequest } from "./authorization_request.ts";
import { returnedError, wireError } from "./reasons.ts";
import { register } from "./registration.ts";

const origin = "https://n.example";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const cb = "https://good.example/cb";

function idOf(...redirects: string[]): string {
  const body = new TextEncoder().encode(JSON.stringify({ client_name: "Good", redirect_uris: redirects }));
  const answer = register(body, 0);
  if (typeof answer === "string") throw new Error(answer);
  return answer.clientId;
}

const good = {
  client_id: idOf(cb),
  redirect_uri: cb,
  response_type: "code",
  code_challenge: challenge,
  code_challenge_method: "S256",
  state: "xyz",
  scope: "read write",
  resource: `${origin}/mcp`,
};

function judge(
  change: Record<string, string | null> = {},
  extra = "",
  unknownRedirects: "warn" | "refuse" = "warn",
) {
  const parameters = Object.entries({ ...good, ...change }).filter((pair): pair is [string, string] =>
    pair[1] !== null
  );
  const clients = new Clients({
    origin,
    configured: { id: "mine", secret: "s", redirectUris: ["https://mine.example/cb"] },
    registration: true,
    documents: null,
  });
  return judgeRequest(`${new URLSearchParams(parameters)}${extra}`, {
    clients,
    origin,
    unknownRedirects,
    source: "1.1.1.1",
  });
}

Deno.test("a request whose client and redirect address are not verified is shown, and has nowhere to be sent", async () => {
  const table: Array<[Record<string, string | null>, string, string]> = [
    [{ client_id: null }, "", "client_missing"],
    [{ client_id: "" }, "", "client_missing"],
    [{ client_id: "nobody" }, "", "client_unknown"],
    [{ client_id: "Mine" }, "", "client_unknown"],
    [{ client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata" }, "", "client_documents_off"],
    [{ client_id: "a\u0000b" }, "", "request_malformed"],
    [{ client_id: "x".repeat(9000) }, "", "request_malformed"],
    [{}, `&client_id=${good.client_id}`, "client_repeated"],
    [{}, "&client_id=evil", "client_repeated"],
    [{ redirect_uri: null }, "", "redirect_missing"],
    [{}, "&redirect_uri=https://evil.example/cb", "redirect_repeated"],
    [{}, `&redirect_uri=${cb}`, "redirect_repeated"],
    [{ redirect_uri: "https://evil.example/cb" }, "", "redirect_mismatch"],
    [{ redirect_uri: `${cb}/` }, "", "redirect_mismatch"],
    [{ redirect_uri: `${cb}?x=1` }, "", "redirect_mismatch"],
    [{ redirect_uri: "http://good.example/cb" }, "", "redirect_mismatch"],
    [{ redirect_uri: "javascript:alert(1)" }, "", "redirect_mismatch"],
    [{ redirect_uri: "/cb" }, "", "redirect_mismatch"],
    [{ redirect_uri: `${cb}\r\nSet-Cookie: a=b` }, "", "request_malformed"],
    [{ client_id: "mine" }, "", "redirect_mismatch"],
    [{ state: "y" }, "&a=1".repeat(300), "request_malformed"],
  ];
  for (const [change, extra, reason] of table) {
    // Other faults of the same request must not come first.
    for (const also of [{}, { response_type: "token", code_challenge: null }]) {
      const judged = await judge({ ...change, ...also }, extra);
      assert.deepEqual(judged, { kind: "shown", reason }, reason);
    }
  }
});

Deno.test("every other fault goes back to the verified address with its code, the state and the issuer", async () => {
  const table: Array<[Record<string, string | null>, string, string, string]> = [
    [{ response_type: null }, "", "response_type_missing", "invalid_request"],
    [{ response_type: "token" }, "", "response_type_unsupported", "unsupported_response_type"],
    [{ response_type: "code token" }, "", "response_type_unsupported", "unsupported_response_type"],
    [{}, "&response_type=code", "parameter_repeated", "invalid_request"],
    [{}, "&scope=read", "parameter_repeated", "invalid_request"],
    [{}, "&code_challenge_method=plain", "parameter_repeated", "invalid_request"],
    [{ response_mode: "fragment" }, "", "response_mode_unsupported", "invalid_request"],
    [{ response_mode: "form_post" }, "", "response_mode_unsupported", "invalid_request"],
    [{ request: "eyJ" }, "", "request_object_unsupported", "request_not_supported"],
    [{ request_uri: "https://evil.example/r" }, "", "request_object_unsupported", "request_not_supported"],
    [{ code_challenge: null }, "", "challenge_missing", "invalid_request"],
    [{ code_challenge: null, code_challenge_method: null }, "", "challenge_missing", "invalid_request"],
    [{ code_challenge_method: null }, "", "challenge_method_unsupported", "invalid_request"],
    [{ code_challenge_method: "plain" }, "", "challenge_method_unsupported", "invalid_request"],
    [{ code_challenge_method: "s256" }, "", "challenge_method_unsupported", "invalid_request"],
    [{ code_challenge: "short" }, "", "challenge_malformed", "invalid_request"],
    [{ resource: "https://evil.example/mcp" }, "", "resource_foreign", "invalid_target"],
    [{}, "&resource=https://evil.example/mcp", "resource_foreign", "invalid_target"],
    [{ prompt: "none" }, "", "silent_sign_in", "interaction_required"],
  ];
  for (const [change, extra, reason, error] of table) {
    const judged = await judge(change, extra);
    assert.ok(judged.kind === "returned", reason);
    assert.equal(judged.reason, reason);
    const location = new URL(judged.redirect.withError(judged.reason));
    assert.equal(location.origin + location.pathname, cb);
    assert.deepEqual([
      location.searchParams.get("error"),
      location.searchParams.get("state"),
      location.searchParams.get("iss"),
    ], [
      error,
      "xyz",
      origin,
    ]);
    assert.equal(location.searchParams.get("code"), null);
  }
});

Deno.test("a state that cannot be given back is left out, and never becomes part of a header or an address", async () => {
  for (const state of ["a\r\nSet-Cookie: x=y", "a\u0000", "x".repeat(9000)]) {
    const judged = await judge({ state });
    assert.ok(judged.kind === "returned" && judged.reason === "parameter_malformed");
    const location = judged.redirect.withError(judged.reason);
    assert.equal(new URL(location).searchParams.has("state"), false);
    assert.match(location, /^[\x21-\x7e]+$/);
  }
  const twice = await judge({}, "&state=other");
  assert.ok(twice.kind === "returned");
  assert.equal(new URL(twice.redirect.withError(twice.reason)).searchParams.has("state"), false);
  const odd = await judge({ state: 'a&code=evil#"<>é\u2028' });
  assert.ok(odd.kind === "request");
  const location = odd.request.redirect.withCode("C");
  assert.match(location, /^[\x21-\x7e]+$/);
  assert.deepEqual(new URL(location).searchParams.getAll("code"), ["C"]);
  assert.equal(new URL(location).searchParams.get("state"), 'a&code=evil#"<>é\u2028');
});

Deno.test("a request in order is put to the owner, with the code to be added to what the address already has", async () => {
  const judged = await judge();
  assert.ok(judged.kind === "request");
  const { client, asked, challenge: sent, redirect } = judged.request;
  assert.deepEqual([client.name, asked, sent], ["Good", { write: true, offline: false }, challenge]);
  assert.equal(redirect.withCode("C"), `${cb}?code=C&state=xyz&iss=https%3A%2F%2Fn.example`);
  const queried = `${cb}?from=here`;
  const other = await judge({ client_id: idOf(queried), redirect_uri: queried, state: null });
  assert.ok(other.kind === "request");
  assert.equal(other.request.redirect.withCode("C"), `${queried}&code=C&iss=https%3A%2F%2Fn.example`);
});

Deno.test("hosts that nobody knows can be refused; known ones, this computer and the configured client never are", async () => {
  const refuse = (change: Record<string, string>) => judge(change, "", "refuse");
  assert.deepEqual(await refuse({}), { kind: "shown", reason: "redirect_host_unknown" });
  const claude = "https://claude.ai/api/mcp/auth_callback";
  const loopback = "http://localhost/callback";
  assert.equal((await refuse({ client_id: idOf(claude), redirect_uri: claude })).kind, "request");
  assert.equal(
    (await refuse({ client_id: idOf(loopback), redirect_uri: "http://localhost:5/callback" })).kind,
    "request",
  );
  assert.equal(
    (await refuse({ client_id: "mine", redirect_uri: "https://mine.example/cb" })).kind,
    "request",
  );
});

Deno.test("what is told of a failure repeats nothing that was sent and names no internal reason", () => {
  assert.deepEqual(returnedError("owner_refused"), {
    error: "access_denied",
    description: "The owner did not approve",
  });
  for (const reason of ["code_unknown", "code_expired", "code_replayed", "code_of_other_client"] as const) {
    assert.deepEqual(wireError(reason), wireError("code_unknown"), "not told apart");
  }
  assert.deepEqual([wireError("client_unknown").error, wireError("client_unknown").status], [
    "invalid_client",
    401,
  ]);
});
