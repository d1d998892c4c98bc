/** One write through the bridge, beside the two raw requests to SilverBullet that do the same without looking. */

import { spaceToken } from "../support/app.ts";
import { callOf, toolCall } from "./calls.ts";
import { quantile } from "./load.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";

const rounds = 300;

/** `name` tells the kind of server in the report. */
export async function measureWrites(
  report: Report,
  { name, ...measured }: Measured & { readonly name: string },
): Promise<void> {
  await withMeasured(measured, async (program) => {
    const url = `${program.url}/mcp`;
    const token = measured.spaceToken ?? spaceToken;
    const written: number[] = [];
    const appended: number[] = [];
    const raw: number[] = [];
    let { etag, guarantee } = await create(url);
    await rawWrite(measured.space, { token, content: page(0) });
    for (let round = 1; round <= rounds; round++) {
      let begun = performance.now();
      ({ etag, guarantee } = await tool(url, "write_page", {
        page: "Bench/Written",
        content: page(round),
        if_match: etag,
      }));
      written.push(performance.now() - begun);
      begun = performance.now();
      await rawWrite(measured.space, { token, content: page(round) });
      raw.push(performance.now() - begun);
      begun = performance.now();
      await tool(url, "append_to_page", { page: "Bench/Appended", content: `Line ${round}` });
      appended.push(performance.now() - begun);
    }
    const [write, append, beside] = [written, appended, raw].map((times) => quantile(times, 0.5));
    report.add("Writes", {
      "server": name,
      "guarantee": guarantee,
      "write_page, ms": write ?? 0,
      "append_to_page, ms": append ?? 0,
      "GET and PUT, ms": beside ?? 0,
      "write more, ms": (write ?? 0) - (beside ?? 0),
      "append more, ms": (append ?? 0) - (beside ?? 0),
      "times": (write ?? 0) / (beside ?? 1),
    });
  });
}

function page(round: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `Line ${line} ${(line * 7919).toString(36).repeat(6)}`,
  );
  return `# Bench ${round}\n\n${lines.join("\n")}\n`;
}

interface Written {
  readonly etag: string;
  readonly guarantee: string;
}

async function create(url: string): Promise<Written> {
  await tool(url, "write_page", { page: "Bench/Appended", content: page(0), if_match: "*" })
    .catch(() => tool(url, "create_page", { page: "Bench/Appended", content: page(0) }));
  const written = { page: "Bench/Written", content: page(-1) };
  return await tool(url, "write_page", { ...written, if_match: "*" })
    .catch(() => tool(url, "create_page", written));
}

async function tool(url: string, name: string, args: Record<string, unknown>): Promise<Written> {
  const response = await fetch(url, { method: "POST", ...callOf("2025", toolCall(name, args)) });
  const { result } = await response.json();
  if (result?.isError === true) throw new Error(result.content[0].text);
  return JSON.parse(result.content[0].text);
}

/** A page of its own, so that the bridge's version of the other stays good. */
async function rawWrite(
  url: string,
  { token, content }: { readonly token: string; readonly content: string },
): Promise<void> {
  const address = `${url}/.fs/Bench/Raw.md`;
  const headers = { "authorization": `Bearer ${token}`, "x-sync-mode": "true" };
  await (await fetch(address, { headers })).bytes();
  const answer = await fetch(address, { method: "PUT", headers, body: content });
  await answer.bytes();
  if (!answer.ok) throw new Error(`The space answered ${answer.status}`);
}
