/** `silverbridge grants`: which clients have signed in, what they may do, and an end to it at once. */

import { systemClock } from "../core/clock.ts";
import type { Consent } from "../oauth/consent.ts";
import { type Grant, Grants } from "../oauth/grants.ts";
import { redirectPlace } from "../oauth/redirect_uri.ts";
import { accountNames } from "../silverbullet/client_accounts.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { setAccount } from "./grant_account.ts";
import { withKeptState } from "./kept_state.ts";
import { printable } from "./printable.ts";

type AccountNames = ReadonlyMap<string, string | null>;

export const grants: Command = {
  name: "grants",
  summary: "Show the clients that have signed in, and end what one or all of them may do",
  run(args, io) {
    const cut = args.findIndex((arg) => arg.startsWith("-"));
    const words = cut < 0 ? args : args.slice(0, cut);
    const flags = cut < 0 ? [] : args.slice(cut).filter((arg) => arg !== "--json" && arg !== "--remove");
    const [json, remove] = [args.includes("--json"), args.includes("--remove")];
    const [action = "list", ...ids] = words;
    const [id] = ids;
    if (action === "account" && id !== undefined && ids.length === 1 && !json) {
      return withKeptState(flags, io, (state) => setAccount(id, { state, flags, remove, io }));
    }
    const known = action === "list" ? ids.length === 0 : action === "revoke" && ids.length > 0 && !json;
    if (!known || remove) {
      io.stderr(
        "usage: silverbridge grants [--json | revoke GRANT ... | revoke all | account GRANT [--remove]] " +
          "[--setting VALUE ...]\n",
      );
      return Promise.resolve(exitCode.usage);
    }
    return withKeptState(flags, io, (state) => {
      const kept = new Grants({ state, clock: systemClock });
      if (action === "revoke") return revoke(kept, ids, io);
      const live = kept.list().filter((grant) => kept.isLive(grant));
      const accounts = accountNames(state);
      const rows = live.map((grant) => grantRow(grant, accounts));
      io.stdout(json ? `${JSON.stringify(rows)}\n` : grantList(live, { now: systemClock.now(), accounts }));
      return exitCode.ok;
    });
  },
};

function revoke(kept: Grants, ids: readonly string[], io: CommandIo): number {
  if (ids.length === 1 && ids[0] === "all") {
    io.stdout(`Ended: ${kept.endAll("owner")}\n`);
    return exitCode.ok;
  }
  const missing = ids.filter((id) => !kept.end(id, "owner"));
  for (const id of ids) {
    if (!missing.includes(id)) io.stdout(`Ended: ${id}. Its next call is refused.\n`);
  }
  if (missing.length === 0) return exitCode.ok;
  io.stderr(`No such grant, or it was over already: ${missing.map(printable).join(", ")}\n`);
  return exitCode.failed;
}

/** What a program may want to know of a grant. Times as ISO 8601; nothing of it opens anything. */
function grantRow({ id, approval, made, used, expires, ends }: Grant, accounts: AccountNames) {
  const { client, redirectUri, consent } = approval;
  return {
    id,
    client: { id: client.id, name: client.name, host: client.host, standing: client.standing },
    redirect_host: redirectPlace(redirectUri).host,
    may: consent,
    has_account: accounts.has(client.id),
    account: accounts.get(client.id) ?? null,
    signed_in: new Date(made).toISOString(),
    last_used: used === null ? null : new Date(used).toISOString(),
    until: new Date(Math.min(expires, ends)).toISOString(),
  };
}

/** A few lines for each grant, the newest first. Nothing of it opens anything. */
export function grantList(
  list: readonly Grant[],
  { now, accounts }: { readonly now: number; readonly accounts: AccountNames },
): string {
  if (list.length === 0) return "No client is signed in\n";
  return list.map((grant) => {
    const { client, redirectUri, consent } = grant.approval;
    const name = client.name === "" ? "(no name)" : client.name;
    const voucher = client.host === null ? client.standing : `by ${client.host}`;
    const rows: ReadonlyArray<readonly [string, string]> = [
      ["client", `${printable(name)} (${voucher})`],
      ["goes back to", redirectPlace(redirectUri).host],
      ["may", rightsText(consent)],
      ...(accounts.has(client.id)
        ? [["edits as", printable(accounts.get(client.id) ?? "an account of its own")] as const]
        : []),
      ["signed in", timeText(grant.made)],
      ["last used", grant.used === null ? "never" : timeText(grant.used)],
      ["until", `${timeText(Math.min(grant.expires, grant.ends))}, in ${daysText(grant, now)}`],
    ];
    return [grant.id, ...rows.map(([label, text]) => `  ${label.padEnd(13)}${text}`), ""].join("\n");
  }).join("");
}

function rightsText({ write, sees, changes, roots, profile }: Consent): string {
  const parts = [
    `read ${globText(sees)}`,
    ...(write ? [`change ${globText(changes)}`] : ["change nothing"]),
    ...(roots.length === 0 ? [] : [`read the folders ${roots.join(", ")}`]),
    ...(profile === null ? [] : [`profile ${profile}`]),
  ];
  return parts.join("; ");
}

function globText(globs: readonly string[]): string {
  return globs.includes("**") ? "all pages" : printable(globs.join(", "));
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function daysText({ expires, ends }: Grant, now: number): string {
  const days = Math.floor((Math.min(expires, ends) - now) / 86_400_000);
  return days < 1 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
}
