/** Tools called one at a time, and the same change made on SilverBullet directly. */

import { callOf, toolCall } from "./calls.ts";

export interface Place {
  /** Address of the program's MCP endpoint. */
  readonly url: string;
  /** Address of its SilverBullet server, and the token for that. */
  readonly space: string;
  readonly token: string;
}

/** What every tool that changes something answers. */
export interface Written {
  readonly etag: string;
  readonly guarantee: string;
}

/** The answer as the caller understands it. Throws what the tool refused with. */
export async function callTool<Answer = Written>(
  url: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const response = await fetch(url, { method: "POST", ...callOf("2025", toolCall(name, args)) });
  const { result } = await response.json();
  if (result?.isError === true) throw new Error(result.content[0].text);
  return JSON.parse(result.content[0].text);
}

/** Reads a page and writes it, without looking at anything. */
export async function rawWrite(
  { space, token }: Pick<Place, "space" | "token">,
  page: string,
  content: string,
): Promise<void> {
  const address = `${space}/.fs/${page}.md`;
  const headers = { "authorization": `Bearer ${token}`, "x-sync-mode": "true" };
  await (await fetch(address, { headers })).bytes();
  const answer = await fetch(address, { method: "PUT", headers, body: content });
  await answer.bytes();
  if (!answer.ok) throw new Error(`The space answered ${answer.status}`);
}
