/** Looks for a SilverBullet where it usually listens on this machine. No other machine is asked, and no other port tried. */

import { ask as request } from "../doctor/ask.ts";

const usualAddresses = ["http://127.0.0.1:3000", "http://[::1]:3000"];

/** The first address at which a SilverBullet answers, or `null`. `addresses` is for tests. */
export async function findSpace(addresses: readonly string[] = usualAddresses): Promise<string | null> {
  for (const address of addresses) if (await isSilverBullet(address)) return address;
  return null;
}

/** By `/.ping`, which every generation has, and by what only SilverBullet says there or asks for. */
async function isSilverBullet(address: string): Promise<boolean> {
  const ping = await request(`${address}/.ping`);
  if (!("status" in ping)) return false;
  if (ping.headers.has("x-server-version") || ping.headers.has("x-space-path")) return true;
  if (ping.status === 200) return ping.text.trim() === "OK";
  return ping.status === 401 && (ping.headers.get("location") ?? "").includes("/.auth");
}
