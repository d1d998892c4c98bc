/** What `doctor` asks SilverBullet: address, certificate, token, version, rights, and whether a page can be written. */

import type { Config, SilverBulletSetting } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/kinds_network.ts";
import { systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { silentLogger } from "../../core/log.ts";
import type { StoreFacts } from "../../core/page_store.ts";
import { notReadyText } from "../../http/readiness.ts";
import { openSilverBullet, type SilverBullet } from "../../silverbullet/silverbullet.ts";
import { openPathLock } from "../../state/path_lock.ts";
import type { Report } from "./finding.ts";
import { checkWrite } from "./scratch_page.ts";
import { checkTokenExpiry } from "./token_expiry.ts";

export interface SpaceChecks {
  readonly config: Pick<Config, "silverbullet" | "readOnly">;
  /** False: nothing is written, whatever the configuration allows. */
  readonly write: boolean;
}

export async function checkSpace({ config, write }: SpaceChecks, report: Report): Promise<void> {
  const { silverbullet: setting, readOnly } = config;
  if (setting === null) {
    return report({
      check: "silverbullet",
      status: "skip",
      text: "No SilverBullet is configured: folders alone",
    });
  }
  checkScheme(setting, report);
  checkTokenExpiry(setting.token, systemClock.now(), report);
  const space = openSilverBullet({
    ...{ url: setting.url, token: setting.token, caPem: setting.caPem },
    ...{ clock: systemClock, logger: silentLogger, lock: openPathLock({ state: null, clock: systemClock }) },
    readOnly: readOnly || !write,
  });
  try {
    const facts = await factsOf(space, report);
    if (facts === null) return;
    checkEnforcement(setting, facts, report);
    checkVersion(facts, report);
    await checkEvents(space, facts, report);
    if (readOnly) {
      report({ check: "write", status: "skip", text: "READ_ONLY is on: nothing is written" });
    } else if (!write) {
      report({ check: "write", status: "skip", text: "Not tried, as --no-write says" });
    } else if (facts.readOnly) {
      report({
        ...{ check: "write", status: "fail", text: "SilverBullet takes no changes from this account" },
        mend:
          "Unset SB_READ_ONLY there, give the account the right to write, or set SILVERBRIDGE_READ_ONLY=on",
      });
    } else await checkWrite(space.store, setting.spacePath, report);
  } finally {
    space.close();
  }
}

function checkScheme({ url }: SilverBulletSetting, report: Report): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isLoopbackHost(hostname)) return;
  report({
    ...{
      check: "silverbullet-https",
      status: "warn",
      text: "The token goes to SilverBullet over plain http",
    },
    mend: "Let SilverBullet be reached by https, or keep both on one machine or one private network",
  });
}

async function factsOf(space: SilverBullet, report: Report): Promise<StoreFacts | null> {
  const check = "silverbullet";
  try {
    const facts = await space.facts();
    const ready = await space.ready(AbortSignal.timeout(15_000));
    if (ready.ok) {
      report({ check, status: "ok", text: "SilverBullet answers and accepts the token" });
      return facts;
    }
    const mend = notReadyText(`silverbullet_${ready.kind}`);
    report({ check, status: "fail", text: "SilverBullet answers once and then no more", mend });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report({ check, status: "fail", text: error.message, mend: mendOf(error) });
  }
  return null;
}

const toOperator = "Ask the operator to ";

/** What an assistant is told to ask the operator for, said to the operator; else what the log of the server says. */
function mendOf({ remedy, upstream }: AppError): string {
  if (upstream !== "unreachable" || !remedy.startsWith(toOperator)) {
    return notReadyText(`silverbullet_${upstream ?? "fault"}`);
  }
  const words = remedy.slice(toOperator.length).replace(/\.$/, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function checkEnforcement({ token }: SilverBulletSetting, facts: StoreFacts, report: Report): void {
  const check = "token-enforced";
  if (token === null) {
    return report({
      ...{
        check,
        status: "warn",
        text: "SilverBullet answers everybody who reaches it: no token is asked for",
      },
      mend: "Set SB_USER and SB_AUTH_TOKEN there, and SILVERBRIDGE_SILVERBULLET_TOKEN here",
    });
  }
  if (!facts.openWithoutToken) {
    return report({ check, status: "ok", text: "SilverBullet refuses whoever comes without the token" });
  }
  report({
    ...{ check, status: "fail", text: "SilverBullet answers without the token too, so it protects nothing" },
    mend: "Set SB_USER beside SB_AUTH_TOKEN there: the token alone switches nothing on",
  });
}

function checkVersion({ version, dialect }: StoreFacts, report: Report): void {
  const name = version === null ? "a SilverBullet that does not tell its version" : `SilverBullet ${version}`;
  report(
    dialect === "conditional"
      ? { check: "version", status: "ok", text: `${name}: it compares versions itself (writes are atomic)` }
      : {
        ...{
          check: "version",
          status: "note",
          text: `${name}: silverbridge compares versions and reads back`,
        },
        mend:
          "From SilverBullet 2.11 on no edit by another hand can be lost; a proxy must let ETag and If-Match through",
      },
  );
}

const eventsMs = 4000;

async function checkEvents(space: SilverBullet, { dialect }: StoreFacts, report: Report): Promise<void> {
  const over = new AbortController();
  const live = Promise.withResolvers<boolean>();
  const nothing = () => {};
  const listener = {
    changed: nothing,
    resync: nothing,
    live: (isLive: boolean) => isLive && live.resolve(true),
  };
  const watching = space.watch(listener, over.signal);
  const timer = setTimeout(() => live.resolve(false), dialect === "conditional" ? eventsMs : 500);
  const isLive = await live.promise;
  clearTimeout(timer);
  over.abort();
  await watching.catch(nothing);
  if (isLive) {
    return report({ check: "events", status: "ok", text: "SilverBullet tells of changes as they happen" });
  }
  report({
    ...{ check: "events", status: dialect === "conditional" ? "warn" : "note" },
    text: "SilverBullet does not tell of changes: its list is asked again and again",
    ...(dialect === "conditional" ? { mend: "Let a proxy in front pass on /.events without buffering" } : {}),
  });
}
