/** What thousands of grants cost: the start, the lists of them, and their end. */

import { approve } from "../../src/oauth/approval.ts";
import { Grants } from "../../src/oauth/grants.ts";
import { Tokens } from "../../src/oauth/tokens.ts";
import { openState } from "../../src/state/state.ts";
import { systemClock } from "../../src/core/clock.ts";
import { root, startFlags } from "../support/app.ts";
import { Browser, type Fetch, ownerSecret } from "../support/sign_in.ts";
import { quantile } from "./load.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";

export type Place = Pick<Measured, "space" | "script">;

/** Stays while the port of each start is another. */
export const publicUrl = "http://localhost:8787";
const starts = 5;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

export function settings(secret: string): Readonly<Record<string, string>> {
  return {
    SILVERBRIDGE_OWNER_SECRET: secret,
    SILVERBRIDGE_PUBLIC_URL: publicUrl,
    SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "1000000",
  };
}

/** Start, lists and file with no grants and with five thousand. */
export async function measureGrants(report: Report, place: Place, many: number): Promise<void> {
  const listening = new Map([0, many].map((grants) => [grants, [] as number[]]));
  const lists = new Map<number, Readonly<Record<string, number>>>();
  for (let round = 0; round < starts; round++) {
    for (const [grants, times] of listening) {
      const begun = performance.now();
      let filling = 0;
      const prepare = (stateDir: string) => {
        fillGrants(stateDir, grants);
        filling = performance.now() - begun;
      };
      await withMeasured({ ...place, env: settings(ownerSecret), prepare }, async ({ url, stateDir }) => {
        times.push(performance.now() - begun - filling);
        if (round === starts - 1) lists.set(grants, await measureLists({ url, stateDir }));
      });
    }
  }
  for (const [grants, times] of listening) {
    report.add("Grants", {
      "grants": grants,
      "start until it listens, ms": quantile(times, 0.5),
      ...lists.get(grants),
    });
  }
}

async function measureLists(
  { url, stateDir }: { readonly url: string; readonly stateDir: string },
): Promise<Readonly<Record<string, number>>> {
  const there: Fetch = (address, init) => fetch(address.replace(publicUrl, url), init);
  const browser = new Browser(there);
  const door = await browser.open(`${publicUrl}/owner`);
  await (await browser.submit(door, { do: "sign-in", secret: ownerSecret })).body?.cancel();
  const pages: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 20; round++) {
    const at = performance.now();
    bytes = (await browser.open(`${publicUrl}/owner`)).html.length;
    pages.push(performance.now() - at);
  }
  const timed = async (...args: string[]) => {
    const at = performance.now();
    await command(args);
    return performance.now() - at;
  };
  const version = await timed("version");
  const listed = await timed("grants", "--state-dir", stateDir);
  const ended = await timed("grants", "revoke", "all", "--state-dir", stateDir);
  return {
    "state file, MB": Deno.statSync(`${stateDir}/state.db`).size / 1e6,
    "the owner's page, ms": quantile(pages, 0.5),
    "its bytes": bytes,
    "command version, ms": version,
    "command grants, ms": listed,
    "command grants revoke all, ms": ended,
  };
}

async function command(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...startFlags(), "src/main.ts", ...args],
    cwd: root,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Puts so many grants into the state, each with an access and a refresh token. Answers the access tokens. */
export function fillGrants(stateDir: string, count: number): readonly string[] {
  const state = openState({ dir: stateDir });
  try {
    const grants = new Grants({ state, clock: systemClock });
    const lifetimes = { accessMs: 24 * hourMs, refreshMs: 90 * dayMs, grantMs: 365 * dayMs };
    const tokens = new Tokens({ state, clock: systemClock, grants, lifetimes });
    const issued: string[] = [];
    state.transaction(() => {
      for (let index = 0; index < count; index++) {
        const id = index.toString(36).padStart(16, "0");
        grants.add({ id, approval: approvalOf(index), ends: systemClock.now() + lifetimes.grantMs });
        const grant = grants.find(id);
        if (grant !== null) issued.push(tokens.issue(grant).accessToken);
      }
    });
    return issued;
  } finally {
    state.close();
  }
}

function approvalOf(index: number) {
  const redirect = `https://client${index}.example/callback`;
  return approve({
    client: {
      ...{
        id: `https://client${index}.example/client.json`,
        standing: "document",
        name: `Client ${index}`,
      } as const,
      ...{ host: `client${index}.example`, redirectUris: [redirect], secretHash: null, refreshes: true },
    },
    redirectUri: redirect,
    asked: { write: true, offline: true },
    consent: { write: true, sees: ["**"], changes: ["Projects/**"], roots: [], profile: null },
    resource: `${publicUrl}/mcp`,
  });
}
