/** What the values of the predecessors' variables mean today, where they are not simply the same. */

import type { AliasReading } from "./option.ts";
import { readBoolean } from "./kinds.ts";
import { jwtAlgorithms } from "./kinds_product.ts";

/** mcp-silverbullet named the whole endpoint; we want the origin, so `/mcp` is cut off and nothing else. */
export function originOfResource(text: string): AliasReading {
  const value = text.trim().replace(/\/+$/, "");
  const parsed = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  const wanted = "the address of /mcp, such as https://notes.example.com/mcp; no other path can be served";
  if (parsed === null || parsed.search !== "" || parsed.hash !== "") return { wanted };
  if (parsed.pathname !== "/mcp" && parsed.pathname !== "/") return { wanted };
  return { text: value.replace(/\/mcp$/, "") };
}

/** `static` is our `token`; lists are accepted in the old variable too. */
export function authWays(text: string): AliasReading {
  const words = text.split(",").map((word) => word.trim().toLowerCase());
  return { text: words.map((word) => word === "static" ? "token" : word).join(",") };
}

/** Python's five level names. */
export function logLevel(text: string): AliasReading {
  const levels: Readonly<Record<string, string>> = {
    debug: "debug",
    info: "info",
    warning: "warn",
    error: "error",
    critical: "error",
  };
  const word = text.trim().toLowerCase();
  const level = Object.hasOwn(levels, word) ? levels[word] : undefined;
  return level === undefined ? { wanted: "DEBUG, INFO, WARNING, ERROR or CRITICAL" } : { text: level };
}

/** A switch that raised the level to debug. */
export function debugSwitch(text: string): AliasReading {
  const reading = lenientSwitch(text);
  if (!("text" in reading)) return reading;
  return reading.text === "on" ? { text: "debug" } : { unset: null };
}

/** mcp-silverbullet took any word it did not know as off, so such an environment starts, and is told. */
export function lenientSwitch(text: string): AliasReading {
  const value = readBoolean(text);
  if (value === null) return { unset: "holds neither on nor off, and counts as off" };
  return { text: value ? "on" : "off" };
}

/** mcp-silverbullet accepted names at start that no token could then use; what remains usable is kept. */
export function algorithms(text: string): AliasReading {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const usable = names.filter((name) => jwtAlgorithms.includes(name));
  if (names.length === 0) return { unset: "names no algorithm; the default counts" };
  return { text: (usable.length > 0 ? usable : names).join(",") };
}
