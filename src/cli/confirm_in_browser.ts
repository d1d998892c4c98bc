/** Asks a person to confirm a code on a page of SilverBullet, and waits for the token that it gives out then. */

import {
  awaitDeviceToken,
  beginDeviceFlow,
  type DeviceFlowOptions,
  type DeviceToken,
} from "../silverbullet/device_flow.ts";
import type { CommandIo } from "./command.ts";
import { printable } from "./printable.ts";
import { progressLine } from "./progress_line.ts";

/** What is told where `hasDeviceFlow()` says no. */
export const noDeviceFlow =
  "This SilverBullet has no sign-in for programs (2.11 and later have it, over https or on this machine)";

export interface ConfirmOptions {
  readonly io: CommandIo;
  /** Whom to sign in as, to follow "sign in as". */
  readonly whose: string;
  /** What the page calls the program; at most 200 bytes. */
  readonly name: string;
}

/** `null`: there is no token, and why was told. */
export async function confirmInBrowser(
  flow: DeviceFlowOptions,
  { io, whose, name }: ConfirmOptions,
): Promise<DeviceToken | null> {
  const code = await beginDeviceFlow(flow, name);
  if (typeof code === "string") {
    const words = {
      unsupported: "SilverBullet gives out no code",
      unreachable: "SilverBullet does not answer",
      busy: "SilverBullet has given out too many codes; wait a minute",
      dishonest: "What SilverBullet answers makes no sense; is something else at that address?",
    };
    io.stderr(`${words[code]}\n`);
    return null;
  }
  io.stderr(
    `\nOpen this page, sign in as ${whose}, and confirm ${code.userCode}:\n`,
  );
  io.stderr(`\n  ${code.page}\n\n`);
  const progress = progressLine(io);
  progress.show("Waiting for you to confirm ...");
  const outcome = await awaitDeviceToken(flow, code);
  progress.end();
  if (outcome.kind === "token") {
    const name = outcome.username === null ? "" : ` as ${printable(outcome.username)}`;
    io.stderr(`Confirmed${name}.\n`);
    return outcome;
  }
  const words = {
    denied: "It was refused on the page",
    expired: "The code has run out; begin again",
    dishonest: "What SilverBullet answers makes no sense; is something else at that address?",
    unreachable: "SilverBullet stopped answering",
  };
  io.stderr(`${words[outcome.reason]}\n`);
  return null;
}
