/**
 * What signing in costs: every request of a whole sign-in, `/token`, the look at a bearer token by each way in, and all of
 * it with five thousand grants.
 */

import { withIdentityProvider } from "../support/identity_provider.ts";
import { Browser, type Fetch, ownerSecret, WireClient } from "../support/sign_in.ts";
import { hashPassphrase } from "../../src/core/secrets.ts";
import { type LoadJob, quantile, runLoad } from "./load.ts";
import { cpuSeconds, leastDisturbed } from "./machine.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";
import { fillGrants, measureGrants, type Place, publicUrl, settings } from "./sign_in_grants.ts";

const redirectUri = "http://localhost:4444/callback";
const signIns = 20;
const manyGrants = 5000;
/** So many tokens take turns: as many as fit into the arguments of a process. */
const turns = 1000;

export async function measureSignIn(report: Report, place: Place): Promise<void> {
  for (
    const [name, secret] of [["as it is", ownerSecret], [
      "hashed",
      await hashPassphrase(ownerSecret),
    ]] as const
  ) {
    await withMeasured({ ...place, env: settings(secret) }, ({ url }) => measureSteps(report, { url, name }));
  }
  await withMeasured({ ...place, env: settings(ownerSecret) }, async ({ url, pid }) => {
    for (const connections of [1, 10]) await measureTokenEndpoint(report, { url, pid, connections });
  });
  await measureBearers(report, place);
  await measureGrants(report, place, manyGrants);
}

/** One sign-in after the other, each from nothing to the first call. Times of each request, in its order. */
async function measureSteps(
  report: Report,
  { url, name }: { readonly url: string; readonly name: string },
): Promise<void> {
  const times = new Map<string, number[]>();
  let step = "";
  const timed: Fetch = async (address, init) => {
    const begun = performance.now();
    const response = await fetch(address.replace(publicUrl, url), init);
    const body = await response.text();
    const ms = performance.now() - begun;
    times.set(step, [...times.get(step) ?? [], ms]);
    const isEmpty = response.status === 303 || response.status === 204;
    return new Response(isEmpty ? null : body, response);
  };
  for (let round = -3; round < signIns; round++) {
    if (round === 0) times.clear();
    const [client, browser] = [new WireClient(publicUrl, timed), new Browser(timed)];
    step = "the first call, refused";
    await client.call(null, "list_pages");
    step = "the document of the resource";
    await client.json("/.well-known/oauth-protected-resource/mcp");
    step = "the document of the server";
    await client.json("/.well-known/oauth-authorization-server");
    step = "registration";
    const { client_id: id } = await client.register({ client_name: "Bench", redirect_uris: [redirectUri] });
    step = "the page";
    const page = await browser.open(
      client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }),
    );
    step = "the approval";
    const response = await browser.submit(page, { decision: "approve", secret: ownerSecret });
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    step = "the exchange of the code";
    const { accessToken, status } = await client.exchange({ code, client_id: String(id) });
    if (status !== 200) throw new Error("No figure: a sign-in failed");
    step = "the first call";
    await client.call(accessToken, "list_pages");
  }
  for (const [request, all] of times) {
    report.add("Sign-in, request by request", {
      "owner's secret": name,
      "request": request,
      "p50, ms": quantile(all, 0.5),
      "p99, ms": quantile(all, 0.99),
    });
  }
  const whole = Array.from(
    { length: signIns },
    (_, index) => [...times.values()].reduce((sum, all) => sum + (all[index] ?? 0), 0),
  );
  report.add("A whole sign-in", {
    "owner's secret": name,
    "round trips": times.size,
    "p50, ms": quantile(whole, 0.5),
    "p99, ms": quantile(whole, 0.99),
    "without the approval, p50, ms": quantile(whole, 0.5) - quantile(times.get("the approval") ?? [], 0.5),
  });
}

/** Refreshes in chains, one for each connection; every one of them is on the disk before it is answered. */
async function measureTokenEndpoint(
  report: Report,
  { url, pid, connections }: { readonly url: string; readonly pid: number; readonly connections: number },
): Promise<void> {
  const there: Fetch = (address, init) => fetch(address.replace(publicUrl, url), init);
  const [client, browser] = [new WireClient(publicUrl, there), new Browser(there)];
  const id = String((await client.register({ redirect_uris: [redirectUri] }))["client_id"]);
  const authorize = client.authorizeUrl({ client_id: id, redirect_uri: redirectUri });
  const chains: string[] = [];
  for (let index = 0; index < connections; index++) {
    const code = (await browser.approve(authorize)).searchParams.get("code") ?? "";
    chains.push((await client.exchange({ code, client_id: id })).refreshToken);
  }
  const each = Math.ceil(400 / connections);
  const { result, others } = await leastDisturbed(async () => {
    const [before, own, begun] = [cpuSeconds(pid), cpuSeconds(Deno.pid), performance.now()];
    const times: number[] = [];
    await Promise.all(chains.map(async (_, index) => {
      for (let round = 0; round < each; round++) {
        const at = performance.now();
        const { status, refreshToken } = await client.refresh(chains[index] ?? "", { client_id: id });
        if (status !== 200) throw new Error("No figure: a refresh failed");
        chains[index] = refreshToken;
        times.push(performance.now() - at);
      }
    }));
    const seconds = (performance.now() - begun) / 1000;
    const used = cpuSeconds(pid) - before;
    return { result: { times, seconds, used }, own: used + cpuSeconds(Deno.pid) - own };
  });
  const { times, seconds, used } = result;
  report.add("Refreshes at /token", {
    "connections": connections,
    "requests/s": times.length / seconds,
    "p50, ms": quantile(times, 0.5),
    "p99, ms": quantile(times, 0.99),
    "processor, µs/request": used / times.length * 1e6,
    "others, % of a core": others,
  });
}

interface BearerCase {
  readonly name: string;
  readonly grants: number;
  /** `undefined`: the static token. */
  readonly tokens: readonly string[] | undefined;
}

/** The same call by each way in; what it costs beyond the static token is the look at the token. */
async function measureBearers(report: Report, place: Place): Promise<void> {
  await withIdentityProvider(async (provider) => {
    const jwts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => provider.sign({ jti: `${index}` })),
    );
    for (const grants of [1, manyGrants]) {
      let issued: readonly string[] = [];
      const measured: Measured = {
        ...place,
        env: { ...settings(ownerSecret), ...provider.env, SILVERBRIDGE_AUTH: "oauth,token,jwt" },
        prepare: (stateDir) => issued = fillGrants(stateDir, grants),
      };
      await withMeasured(measured, async ({ pid, port }) => {
        const cases: readonly BearerCase[] = [
          { name: "static token", grants, tokens: undefined },
          { name: "issued token", grants, tokens: issued.slice(0, 1) },
          ...(grants === 1
            ? []
            : [{ name: `${turns} issued tokens in turn`, grants, tokens: issued.slice(0, turns) }]),
          { name: "identity provider's token", grants, tokens: jwts.slice(0, 1) },
        ];
        let per = 0;
        for (const each of cases) per = await measureBearer(report, each, { pid, port, per });
      });
    }
  });
}

async function measureBearer(
  report: Report,
  { name, grants, tokens }: BearerCase,
  { pid, port, per }: { readonly pid: number; readonly port: number; readonly per: number },
): Promise<number> {
  const job: LoadJob = {
    ...{ port, era: "2025", call: "read_page", pages: 20, connections: 10, seconds: 3 },
    ...(tokens === undefined ? {} : { tokens }),
  };
  await runLoad({ ...job, seconds: 1 });
  const { result: { load, cost }, others } = await leastDisturbed(async () => {
    const before = cpuSeconds(pid);
    const load = await runLoad(job);
    const used = cpuSeconds(pid) - before;
    return { result: { load, cost: used / load.calls * 1e6 }, own: used + load.own };
  });
  report.add("Calls by way in", {
    "way in": name,
    "grants": grants,
    "calls/s": load.perSecond,
    "p50, ms": load.p50,
    "p99, ms": load.p99,
    "processor, µs/call": cost,
    "more than a static token, µs": per === 0 ? 0 : cost - per,
    "others, % of a core": others,
  });
  return per === 0 ? cost : per;
}
