/**
 * The composition root: one configuration in, one program that answers exchanges out. Opens no port.
 *
 * Everything that the rooms need comes together here and nowhere else; each takes options of its own.
 */

import { createCallers } from "./access/callers.ts";
import type { Config, SilverBulletSetting } from "./config/config.ts";
import { createAuditLog } from "./core/audit_log.ts";
import type { Clock } from "./core/clock.ts";
import { randomId } from "./core/ids.ts";
import type { Logger } from "./core/log.ts";
import { type PagePath, parsePageName } from "./core/page_name.ts";
import type { PageStore, PathLock } from "./core/page_store.ts";
import type { Principal } from "./core/principal.ts";
import { protocolRevisions } from "./core/revisions.ts";
import { version } from "./core/version.ts";
import { createHttp } from "./http/http.ts";
import type { Readiness } from "./http/probes.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import { type Notes, openNotes } from "./notes/notes.ts";
import { openSilverBullet, type SilverBullet } from "./silverbullet/silverbullet.ts";
import { openPathLock } from "./state/path_lock.ts";
import { openState, type State } from "./state/state.ts";
import { decodeUtf8 } from "./text/utf8.ts";
import { allTools } from "./tools/all.ts";
import { type Exchange, exchangeOfRequest } from "./web/exchange.ts";
import type { Peer } from "./web/peer.ts";

export interface AppOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** True when every configured folder can be read; asked by the readiness probe. */
  readonly rootsReadable: () => Promise<boolean>;
}

export interface App {
  handle(exchange: Exchange): Promise<Response>;
  /** The same for a `Request`, in process. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** Ends open streams, waits for changes in flight, closes the state. */
  close(): Promise<void>;
}

/** Throws `StateError` where the state file must not be used as it is. */
export function createApp(config: Config, options: AppOptions): App {
  const { clock, logger } = options;
  const space = config.silverbullet === null ? null : openSpace(config, config.silverbullet, options);
  const notes = space?.notes ?? null;
  const mcp = createMcpEndpoint({
    tools: allTools,
    services: { notes, status: { describe: (principal) => describeStatus(config, notes, principal) } },
    readOnly: config.readOnly,
    errorStyle: config.errorStyle,
    clock,
    logger,
    audit: createAuditLog(logger),
    version,
    maxBodyBytes: config.maxBodyBytes,
    instructions: instructionsOf(config, space?.silverbullet.store ?? null),
  });
  const { verifier, local } = createCallers({ ...config, logger });
  const handle = createHttp({
    ...config,
    wildcardBind: config.host === "0.0.0.0" || config.host === "::",
    verifier,
    local,
    challenge: [],
    mcp,
    ready: (signal) => readiness(space?.silverbullet ?? null, options, signal),
    landing: {
      address: `${config.publicUrl}/mcp`,
      signIn: false,
      token: verifier !== null,
      version,
      revisions: protocolRevisions,
    },
    clock,
    logger,
  });
  return {
    handle,
    fetch: (request, peer) => handle(exchangeOfRequest(request, { peer, id: randomId() })),
    async close() {
      await mcp.close();
      await space?.close();
    },
  };
}

interface Space {
  readonly silverbullet: SilverBullet;
  readonly notes: Notes;
  close(): Promise<void>;
}

function openSpace(config: Config, setting: SilverBulletSetting, { clock, logger }: AppOptions): Space {
  const state: State | null = config.state.dir === null ? null : openState({ dir: config.state.dir });
  const lock: PathLock = openPathLock({ state, clock });
  const open = (token: string | null) =>
    openSilverBullet({
      url: setting.url,
      token,
      caPem: setting.caPem,
      clock,
      lock,
      logger,
      readOnly: config.readOnly,
    });
  const silverbullet = open(setting.token);
  const own = new Map<string, SilverBullet>();
  for (const { name, silverbulletToken } of config.tokens) {
    if (silverbulletToken !== null) own.set(`token:${name}`, open(silverbulletToken));
  }
  const notes = openNotes({
    store: silverbullet.store,
    storeFor: ({ id }) => (own.get(id) ?? silverbullet).store,
    revisionsFor: ({ id }) => (own.get(id) ?? silverbullet).revisions,
    facts: () => silverbullet.facts(),
    state,
    lock,
    clock,
    log: logger,
    settings: { ...config, lockedPages: instructionPages(config) },
    index: {
      dir: config.state.dir,
      poll: { inUse: setting.pollSeconds.inUse * 1000, idle: setting.pollSeconds.idle * 1000 },
      maxBytes: config.state.maxBytes,
    },
  });
  const settling = new AbortController();
  const settled = Promise.all([
    notes.settle(settling.signal),
    silverbullet.watch(notes.listener, settling.signal),
  ]);
  return {
    silverbullet,
    notes,
    async close() {
      settling.abort();
      await settled;
      await notes.close();
      for (const each of [silverbullet, ...own.values()]) each.close();
      state?.close();
    },
  };
}

async function readiness(
  silverbullet: SilverBullet | null,
  options: AppOptions,
  signal: AbortSignal,
): Promise<Readiness> {
  const space = await silverbullet?.ready(signal) ?? { ok: true };
  if (!space.ok) return { ok: false, reason: `silverbullet_${space.kind}` };
  return await options.rootsReadable() ? { ok: true } : { ok: false, reason: "folder_unreadable" };
}

async function describeStatus(
  config: Config,
  notes: Notes | null,
  { name, kind, profile, rights }: Principal,
): Promise<Readonly<Record<string, unknown>>> {
  return {
    version,
    caller: { name, kind, profile },
    rights: rights.describe(),
    read_only: config.readOnly,
    notes: notes === null ? null : await notes.facts(),
    limits: {
      max_page_bytes: config.maxPageBytes,
      max_body_bytes: config.maxBodyBytes,
      rate_limit_per_minute: config.rateLimitPerMinute,
    },
  };
}

/** The pages that `INSTRUCTIONS=page:Name` may mean; nobody changes them through this program. */
function instructionPages({ instructions }: Config): readonly PagePath[] {
  if (instructions === null || !instructions.startsWith("page:")) return [];
  const { path, fallback } = parsePageName(instructions.slice("page:".length));
  return fallback === null ? [path] : [path, fallback];
}

function instructionsOf(
  config: Config,
  store: PageStore | null,
): ((signal: AbortSignal) => Promise<string | null>) | null {
  const { instructions } = config;
  if (instructions === null) return null;
  const pages = instructionPages(config);
  if (pages.length === 0) return () => Promise.resolve(instructions);
  return async (signal) => {
    for (const path of pages) {
      const page = await store?.read(path, { signal }) ?? null;
      if (page !== null) return decodeUtf8(page.bytes);
    }
    return null;
  };
}
