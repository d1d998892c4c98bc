/** One guarded or conditional write through the bridge, beside the two raw requests that do the same. */

import { spaceToken } from "../support/app.ts";
import { callOf, toolCall } from "./calls.ts";
import { quantile } from "./load.ts";

const rounds = 300;

export async function measureWrites(
  urls: { readonly program: string; readonly space: string },
): Promise<void> {
  const bridged: number[] = [];
  const raw: number[] = [];
  let etag = await create(urls.program);
  for (let round = 0; round < rounds; round++) {
    const content = `# Bench\n\nRound ${round}\n`;
    let begun = performance.now();
    const answer = await tool(urls.program, "write_page", { page: "Bench", content, if_match: etag });
    bridged.push(performance.now() - begun);
    etag = String(answer["etag"]);
    begun = performance.now();
    await rawWrite(urls.space, `${content}raw\n`);
    raw.push(performance.now() - begun);
  }
  const [through, beside] = [quantile(bridged, 0.5), quantile(raw, 0.5)];
  console.log(
    `one write_page: median ${through.toFixed(2)} ms; GET and PUT straight to the space: ${
      beside.toFixed(2)
    } ms; ` +
      `${(through - beside).toFixed(2)} ms more`,
  );
}

async function create(url: string): Promise<string> {
  const answer = await tool(url, "create_page", { page: "Bench", content: "# Bench\n" });
  return String(answer["etag"]);
}

async function tool(
  url: string,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: "POST", ...callOf("2025", toolCall(name, args)) });
  const { result } = await response.json();
  if (result?.isError === true) throw new Error(result.content[0].text);
  return JSON.parse(result.content[0].text);
}

/** A page of its own, so that the bridge's version of the other stays good. */
async function rawWrite(url: string, content: string): Promise<void> {
  const address = `${url}/.fs/Raw.md`;
  const headers = { "authorization": `Bearer ${spaceToken}`, "x-sync-mode": "true" };
  const before = await fetch(address, { headers });
  await before.body?.cancel();
  const after = await fetch(address, { method: "PUT", headers, body: content });
  await after.body?.cancel();
}
