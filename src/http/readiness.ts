/** What keeps the server from being ready: a fixed word for machines, and a sentence that tells the operator what to do. */

import type { UpstreamKind } from "../core/errors.ts";
import { faultTexts, type StateFault } from "../state/fault.ts";

export type NotReadyReason =
  | `silverbullet_${UpstreamKind}`
  | `state_${StateFault}`
  | "folder_unreadable"
  | "fault";

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: NotReadyReason };

const url = "SILVERBRIDGE_SILVERBULLET_URL";
const token = "SILVERBRIDGE_SILVERBULLET_TOKEN";

const texts: Readonly<Record<NotReadyReason, string>> = {
  silverbullet_unreachable:
    `No SilverBullet can be reached at ${url}: start it, or correct the address, its port, and http or https`,
  silverbullet_timeout: `SilverBullet at ${url} does not answer in time: look at its load and its disk`,
  silverbullet_auth:
    `SilverBullet does not accept ${token}: set it to SilverBullet's SB_AUTH_TOKEN, which counts only with SB_USER, ` +
    "or to an API token of an account, and let requests with it through a login proxy",
  silverbullet_forbidden: `SilverBullet gives ${token} no right to the space: give its account one`,
  silverbullet_html_page:
    `A web page answers at ${url} where SilverBullet's API was expected: correct the address and its path prefix, ` +
    "and let requests with the token through a login proxy",
  silverbullet_read_only: "SilverBullet takes no changes: unset SB_READ_ONLY there",
  silverbullet_fault:
    `What answers at ${url} is no working SilverBullet: look at its log, and correct the address`,
  state_full: stateText("full"),
  state_read_only: stateText("read_only"),
  state_gone: stateText("gone"),
  state_damaged: stateText("damaged"),
  state_failing: stateText("failing"),
  folder_unreadable:
    "A folder of SILVERBRIDGE_ROOTS cannot be read: correct its path, or let this user read it",
  fault: "Whether the server is ready could not be found out: report the incident above",
};

function stateText(fault: StateFault): string {
  const { matter, mend } = faultTexts[fault];
  return `${matter}, so nothing can be changed: ${mend}`;
}

/** Not ready for a fault of the state; `null` where there is none, and other parts have to be asked. */
export function stateReadiness(fault: StateFault | null): Readiness | null {
  return fault === null ? null : { ok: false, reason: `state_${fault}` };
}

/** One sentence without a full stop; names settings, never their values. */
export function notReadyText(reason: NotReadyReason): string {
  return texts[reason];
}
