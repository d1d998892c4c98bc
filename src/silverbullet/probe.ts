/**
 * Finding out what the server is: version, family, dialect, read-only, open without a token.
 *
 * The dialect is never taken from a version number or an `ETag`: proxies eat those. `syncProtocolVersion` is a promise;
 * a delete of a file that does not exist, under a precondition that cannot hold, is the proof, and changes nothing on
 * any generation. Where only reading is allowed, an `ETag` on metadata must do.
 */

import type { AppError } from "../core/errors.ts";
import { randomId } from "../core/ids.ts";
import { type PagePath, parseListedPath } from "../core/page_name.ts";
import type { Dialect, StoreFacts } from "../core/page_store.ts";
import { bodyText, isHtml } from "./answers.ts";
import type { EntryRules } from "./entries.ts";
import { upstream } from "./failures.ts";
import type { Answer } from "./transport.ts";
import type { Wire } from "./wire.ts";

export type ServerFamily = "deno" | "go" | "rust";

/** What probing found; `rules` say how to read the server's numbers. */
export interface ServerKnowledge {
  readonly facts: StoreFacts;
  readonly family: ServerFamily;
  readonly rules: EntryRules;
  /** Conditional servers whose content hashes arrive here; false behind proxies that eat them. */
  readonly claimsHashes: boolean;
}

export interface ProbeOptions {
  readonly wire: Wire;
  /** True when a token is configured; only then is access without one remarkable. */
  readonly hasToken: boolean;
  /** True: only reading requests. */
  readonly readOnly: boolean;
}

const what = "ask SilverBullet for its settings";
const impossibleHash = "0".repeat(64);

/** Three or four requests. Throws `upstream` when SilverBullet's API does not answer at the address. */
export async function probeServer(options: ProbeOptions): Promise<ServerKnowledge> {
  const { wire } = options;
  const [ping, main, open] = await Promise.all([
    wire.ping(),
    wire.config({ credentials: true }),
    options.hasToken ? isOpen(wire) : Promise.resolve(false),
  ]);
  const { config } = main;
  if (config === null || !("readOnly" in config)) throw settingsFailure(wire, main.answer);
  const version = versionOf(ping);
  const family = familyOf(ping, version, config);
  const rules: EntryRules = {
    birthTimes: family !== "go",
    maybeSeconds: version === null && family === "go",
    replacementNames: family === "go",
  };
  const indexPage = textOf(config["indexPage"]) ?? "index";
  const seen = await seeDialect(options, { config, indexPage, rules });
  return {
    family,
    rules,
    claimsHashes: seen.claimsHashes,
    facts: {
      dialect: seen.dialect,
      version,
      readOnly: config["readOnly"] === true || seen.refused,
      openWithoutToken: open,
      indexPage,
      spaceName: textOf(config["spaceName"]),
    },
  };
}

interface SeenDialect {
  readonly dialect: Dialect;
  readonly claimsHashes: boolean;
  /** The account may not write. */
  readonly refused: boolean;
}

async function seeDialect(
  options: ProbeOptions,
  server: {
    readonly config: Readonly<Record<string, unknown>>;
    readonly indexPage: string;
    readonly rules: EntryRules;
  },
): Promise<SeenDialect> {
  const { wire } = options;
  const protocol = server.config["syncProtocolVersion"];
  if (typeof protocol !== "number" || protocol < 2) {
    return { dialect: "guarded", claimsHashes: false, refused: false };
  }
  const claimsHashes = await seeHash(wire, server);
  const byReading: Dialect = claimsHashes ? "conditional" : "guarded";
  if (options.readOnly) return { dialect: byReading, claimsHashes, refused: false };
  const path = parseListedPath(`silverbridge-probe-${randomId(20)}.md`);
  if (path === null) return { dialect: "guarded", claimsHashes, refused: false };
  const change = { rules: server.rules, condition: { ifMatch: impossibleHash } };
  const probe = await wire.delete(path, change);
  if (probe.kind === "lost") throw probe.failure;
  if (probe.kind === "precondition") return { dialect: "conditional", claimsHashes, refused: false };
  if (probe.kind === "answered") {
    if (probe.answer.status === 401) throw probe.failure;
    if (probe.answer.status === 403) return { dialect: byReading, claimsHashes, refused: true };
  }
  return { dialect: "guarded", claimsHashes, refused: false };
}

/** True when a hash arrives with the metadata of some page: the index page, or one that every server brings along. */
async function seeHash(
  wire: Wire,
  server: { readonly indexPage: string; readonly rules: EntryRules },
): Promise<boolean> {
  for (const name of [`${server.indexPage}.md`, "Library/Std.md"]) {
    const path: PagePath | null = parseListedPath(name);
    if (path === null) continue;
    const meta = await wire.meta(path, server.rules, { full: true });
    if (meta !== null) return meta.claimed !== null;
  }
  return false;
}

/** True when the server hands out its settings to nobody in particular. */
async function isOpen(wire: Wire): Promise<boolean> {
  const { config } = await wire.config({ credentials: false });
  return config !== null && "readOnly" in config;
}

/** Why SilverBullet's settings did not come: what answered instead. */
export function settingsFailure(wire: Wire, answer: Answer): AppError {
  const failure = wire.failure(answer, what);
  if (answer.status !== 404) return failure;
  return upstream("html_page", {
    doing: what,
    reason: "no space answers at the configured address",
  });
}

function versionOf(ping: Answer): string | null {
  const header = ping.headers.get("x-server-version") ?? "";
  return /^v?(\d+\.\d+\.\d+)/.exec(header)?.[1] ?? null;
}

function familyOf(
  ping: Answer,
  version: string | null,
  config: Readonly<Record<string, unknown>>,
): ServerFamily {
  if (version !== null) {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return major > 2 || (major === 2 && minor >= 10) ? "rust" : "go";
  }
  if ("accountManaged" in config || "syncProtocolVersion" in config) return "rust";
  const plain = ping.status === 200 && !isHtml(ping) && bodyText(ping).trim() === "OK";
  const go = (plain && ping.headers.has("x-space-path")) || "logPush" in config ||
    "enableClientEncryption" in config;
  return go ? "go" : "deno";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
