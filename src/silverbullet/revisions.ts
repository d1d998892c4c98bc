/**
 * `/.revisions`: the history that SilverBullet itself keeps in git, where an operator has switched it on.
 *
 * Off by default and absent before 2.11; whether it is there is asked at `/.config` and remembered for a few minutes.
 * Facts: handlers/revisions.rs and docs/Revisions.md at 2.11.
 */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { encodePagePath, type PagePath } from "../core/page_name.ts";
import type { PageRevision, PageRevisions, RevisionsOptions } from "../core/page_revisions.ts";
import type { CallOptions } from "../core/page_store.ts";
import type { Addresses } from "./addresses.ts";
import { isHtml } from "./answers.ts";
import type { Answer, Transport } from "./transport.ts";
import type { Wire } from "./wire.ts";

export interface RevisionsParts {
  readonly wire: Wire;
  readonly transport: Transport;
  readonly addresses: Addresses;
  readonly clientId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxFileBytes: number;
  /** True: nothing but reading requests is ever sent. */
  readonly readOnly: boolean;
}

type Mode = "managed" | "unmanaged" | "none";

/** Milliseconds. */
const rememberMode = 300_000;
const readTimeout = 10_000;
const snapshotTimeout = 3_000;
const maxListBytes = 1024 * 1024;
const revForm = /^[0-9a-f]{40}$/;

export function createRevisions(parts: RevisionsParts): PageRevisions {
  const asked = new RevisionsClient(parts);
  return {
    of: (path, how) => asked.of(path, how),
    read: (path, rev, how) => asked.read(path, rev, how),
    snapshot: () => asked.snapshot(),
  };
}

class RevisionsClient implements PageRevisions {
  readonly #parts: RevisionsParts;
  #known: { readonly mode: Mode; readonly at: number } | null = null;

  constructor(parts: RevisionsParts) {
    this.#parts = parts;
  }

  async of(path: PagePath, { limit, signal }: RevisionsOptions): Promise<PageRevision[] | null> {
    if (await this.#mode(signal) === "none") return null;
    const { transport, addresses } = this.#parts;
    const answer = await transport.send({
      method: "GET",
      url: `${addresses.revisions}/${encodePagePath(path)}?limit=${limit}`,
      timeout: readTimeout,
      maxBytes: maxListBytes,
      doing: "ask SilverBullet for older versions of a page",
      ...(signal === undefined ? {} : { signal }),
    });
    return this.#isData(answer) ? parseRevisions(answer).slice(0, limit) : null;
  }

  async read(
    path: PagePath,
    rev: string,
    { signal }: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!revForm.test(rev) || await this.#mode(signal) === "none") return null;
    const { transport, addresses, maxFileBytes } = this.#parts;
    const answer = await transport.send({
      method: "GET",
      url: `${addresses.revisions}/${encodePagePath(path)}?rev=${rev}`,
      timeout: readTimeout,
      maxBytes: maxFileBytes,
      doing: "read an older version of a page",
      ...(signal === undefined ? {} : { signal }),
    });
    // An old HTML file is a file like any other; the web page that stands for an unknown path is none.
    const isFile = answer.status === 200 && (!isHtml(answer) || /\.html?$/i.test(path));
    return isFile ? answer.body : null;
  }

  async snapshot(): Promise<boolean> {
    const { readOnly, clock, logger } = this.#parts;
    if (readOnly) return false;
    const stop = new AbortController();
    const timer = new AbortController();
    clock.sleep(snapshotTimeout, timer.signal).then(() => stop.abort(), () => {});
    try {
      return await this.#mode(stop.signal) === "managed" && await this.#keep(stop.signal);
    } catch (error) {
      const code = error instanceof AppError ? error.upstream ?? error.code : "timeout";
      logger.log("warn", "silverbullet_snapshot_failed", { code });
      return false;
    } finally {
      timer.abort();
    }
  }

  async #keep(signal: AbortSignal): Promise<boolean> {
    const { transport, addresses, clientId, logger } = this.#parts;
    const answer = await transport.send({
      method: "POST",
      url: `${addresses.revisions}/`,
      timeout: snapshotTimeout,
      maxBytes: 4096,
      cut: true,
      doing: "ask SilverBullet to keep the present versions",
      headers: { "X-Client-Id": clientId, "X-Source": "external" },
      signal,
    });
    const isKept = this.#isData(answer);
    if (!isKept) logger.log("warn", "silverbullet_snapshot_refused", { status: answer.status });
    return isKept;
  }

  async #mode(signal?: AbortSignal): Promise<Mode> {
    const known = this.#known;
    if (known !== null && this.#parts.clock.elapsed() - known.at < rememberMode) return known.mode;
    const { config } = await this.#parts.wire.config({
      credentials: true,
      ...(signal === undefined ? {} : { signal }),
    });
    const value = config?.["revisions"];
    return this.#remember(value === "managed" || value === "unmanaged" ? value : "none");
  }

  #remember(mode: Mode): Mode {
    this.#known = { mode, at: this.#parts.clock.elapsed() };
    return mode;
  }

  /** False where this account is not let in, or where something else answers. */
  #isData(answer: Answer): boolean {
    if (answer.status === 401 || answer.status === 403) this.#remember("none");
    return answer.status === 200 && !isHtml(answer);
  }
}

/** Entries that make no sense are left out. */
function parseRevisions(answer: Answer): PageRevision[] {
  const rows = recordOf(parseJson(answer))?.["revisions"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const record = recordOf(row);
    const [rev, time] = [record?.["rev"], record?.["timestamp"]];
    if (typeof rev !== "string" || !revForm.test(rev) || typeof time !== "number") return [];
    if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return [];
    return [{ rev, time, author: nameOf(record?.["author"]), message: textOf(record?.["message"]) }];
  });
}

function nameOf(value: unknown): string | null {
  return textOf(value) ?? textOf(recordOf(value)?.["name"]);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? value as Readonly<Record<string, unknown>> : null;
}

function parseJson({ body }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
