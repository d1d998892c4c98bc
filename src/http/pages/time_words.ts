/** Times and spans as a person says them, with the full time beside. */

import { type Html, html } from "../../web/html.ts";

const units: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [365 * 86_400, "year"],
  [30 * 86_400, "month"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** `4 minutes`; the largest unit that is at least one, rounded up so that nobody comes too early. */
export function spanWords(seconds: number): string {
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, "second"];
  const count = Math.max(1, Math.ceil(seconds / size));
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** A `<time>` that reads `3 minutes ago`. Both in milliseconds since the Unix epoch. */
export function timeAgo(at: number, now: number): Html {
  const seconds = Math.floor((now - at) / 1000);
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  const words = seconds < 10 ? "just now" : `${count} ${name}${count === 1 ? "" : "s"} ago`;
  const full = new Date(at).toISOString();
  return html`<time datetime="${full}" title="${fullTime(at)}">${words}</time>`;
}

/** `2026-11-30 14:05 UTC`. */
export function fullTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
