/** Whether clients of the internet shall sign in: the address that they reach, and what the owner will type. */

import { hashPassphrase } from "../../core/secrets.ts";
import type { CommandIo } from "../command.ts";
import { readHidden } from "../hidden_line.ts";
import { ask, askYes, NoAnswer } from "./question.ts";

const shortest = 12;

/** `null`: they shall not. Throws `NoAnswer`. */
export async function askSignIn(io: CommandIo): Promise<{ publicUrl: string; ownerHash: string } | null> {
  const question =
    "Shall clients of the internet (Claude web, ChatGPT) sign in? That takes a public https address";
  if (!await askYes(question, io, { usual: false })) return null;
  return { publicUrl: await askOrigin(io), ownerHash: await askSecret(io) };
}

async function askOrigin(io: CommandIo): Promise<string> {
  for (;;) {
    const url = URL.parse(
      await ask("Public address of silverbridge, such as https://notes-ai.example.com", io),
    );
    if (url !== null && url.protocol === "https:" && url.pathname === "/" && url.search === "") {
      return url.origin;
    }
    io.stderr("It begins with https:// and has no path\n");
  }
}

async function askSecret(io: CommandIo): Promise<string> {
  for (;;) {
    const first = (await hidden("Owner's secret, several words (not shown): ", io)).trim();
    if ([...first].length < shortest) {
      io.stderr(`It must have at least ${shortest} characters\n`);
      continue;
    }
    const second = (await hidden("The same again: ", io)).trim();
    if (first.normalize("NFC") === second.normalize("NFC")) return await hashPassphrase(first);
    io.stderr("The two were not the same\n");
  }
}

async function hidden(prompt: string, io: CommandIo): Promise<string> {
  const line = await readHidden(prompt, io);
  if (line === null) throw new NoAnswer();
  return line;
}
