/** A token for SilverBullet: the one that is given, one that the owner confirms in the browser, or one that is pasted. */

import { systemClock } from "../../core/clock.ts";
import { type DeviceFlowOptions, hasDeviceFlow } from "../../silverbullet/device_flow.ts";
import { createHttpPool } from "../../silverbullet/http_pool.ts";
import type { CommandIo } from "../command.ts";
import { confirmInBrowser, noDeviceFlow } from "../confirm_in_browser.ts";
import { readHidden } from "../hidden_line.ts";
import { askYes, NoAnswer } from "./question.ts";

export interface TokenOptions {
  readonly url: string;
  readonly caPem: string | null;
  /** Nobody is asked anything. */
  readonly yes: boolean;
  /** Confirm in the browser, although nobody is asked. */
  readonly device: boolean;
  readonly io: CommandIo;
}

/** `null`: none, for a SilverBullet that asks for none; a failure was told. Throws `NoAnswer`. */
export async function obtainToken(options: TokenOptions): Promise<string | null | "failed"> {
  const pool = createHttpPool({ caPem: options.caPem, connections: 1 });
  try {
    const flow = { url: options.url, fetch: pool.fetchOnce, clock: systemClock };
    return await obtainThrough(flow, options);
  } finally {
    pool.close();
  }
}

async function obtainThrough(
  flow: DeviceFlowOptions,
  options: TokenOptions,
): Promise<string | null | "failed"> {
  const { io, yes, device } = options;
  const isOffered = (!yes || device) && await hasDeviceFlow(flow);
  if (device && !isOffered) {
    io.stderr(`${noDeviceFlow}\n`);
    return "failed";
  }
  const question = "Get a token by confirming a code in your browser?";
  if (isOffered && (device || await askYes(question, io, { usual: true }))) {
    const whose = "the account whose rights silverbridge shall have";
    return (await confirmInBrowser(flow, { io, whose, name: "silverbridge" }))?.token ?? "failed";
  }
  return yes ? null : await pasted(io);
}

async function pasted(io: CommandIo): Promise<string | null> {
  const line = await readHidden(
    "Token for SilverBullet (SB_AUTH_TOKEN, or sbt_…; not shown; empty for none): ",
    io,
  );
  if (line === null) throw new NoAnswer();
  return line.trim() === "" ? null : line.trim();
}
