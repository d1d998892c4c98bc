/**
 * The composition root: one configuration in, one program that answers exchanges out. Opens no port.
 *
 * Everything that the rooms need comes together here and nowhere else; each takes options of its own.
 */

import { type Callers, createCallers } from "./access/callers.ts";
import type { Config, SilverBulletSetting } from "./config/config.ts";
import { createAuditLog } from "./core/audit_log.ts";
import type { Clock } from "./core/clock.ts";
import { randomId } from "./core/ids.ts";
import type { Logger } from "./core/log.ts";
import type { PathLock } from "./core/page_store.ts";
import { createRequestScope } from "./core/request_scope.ts";
import { protocolRevisions } from "./core/revisions.ts";
import { version } from "./core/version.ts";
import { documentsWith, type ReadDocument } from "./documents/documents.ts";
import { type Folders, openFolders } from "./folders/folders.ts";
import { openSpaceFolder } from "./folders/space_folder.ts";
import { createHttp } from "./http/http.ts";
import { createMetrics } from "./http/metrics.ts";
import { landingFacts } from "./http/pages/landing.ts";
import { spaceWords } from "./http/pages/owner/caller_words.ts";
import type { Readiness } from "./http/probes.ts";
import { createMcpEndpoint, type McpEndpoint } from "./mcp/endpoint.ts";
import { instructionPages, ownText } from "./mcp/own_text.ts";
import { createStatus } from "./mcp/status.ts";
import { hidesTyped } from "./notes/hidden_names.ts";
import { type Notes, openNotes } from "./notes/notes.ts";
import type { FetchDocument } from "./oauth/document_fetch.ts";
import { openAccounts } from "./silverbullet/accounts.ts";
import { openKeptAccounts } from "./silverbullet/kept_accounts.ts";
import { openSilverBullet, roomForPages, type SilverBullet } from "./silverbullet/silverbullet.ts";
import { openPathLock } from "./state/path_lock.ts";
import { openProgramState } from "./state/program_state.ts";
import type { State } from "./state/state.ts";
import { allTools } from "./tools/all.ts";
import { type Exchange, exchangeOfRequest } from "./web/exchange.ts";
import type { Peer } from "./web/peer.ts";

export interface AppOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Fetches the document of a client that signs in; `null` where those are not accepted. */
  readonly fetchDocument: FetchDocument | null;
  /** Reads the documents of folders; without it they are named and not read. */
  readonly readDocument?: ReadDocument | null;
}

export interface App {
  handle(exchange: Exchange): Promise<Response>;
  /** The same for a `Request`, in process. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** MCP alone, for callers that are known already. */
  readonly mcp: McpEndpoint;
  /** Ends open streams, waits for changes in flight, closes the state. */
  close(): Promise<void>;
}

/** Throws `StateError` where the state file must not be used as it is. */
export function createApp(config: Config, given: AppOptions): App {
  const { clock } = given;
  const metrics = createMetrics({ version, clock, index: () => notes?.finding.standing() ?? null });
  const logger = metrics.counting(given.logger);
  const options = { ...given, logger };
  const scope = createRequestScope();
  const state = openProgramState({
    dir: config.state.dir,
    ...{ hasNotes: config.silverbullet !== null, hasSignIn: config.auth.includes("oauth") },
    ...{ logger, clock },
  });
  const space = config.silverbullet === null ? null : openSpace(config, {
    ...options,
    ...{ setting: config.silverbullet, state: state.kept, requestId: scope.current },
  });
  const notes = space?.notes ?? null;
  const documents = documentsWith(given.readDocument ?? null, config.folderLimits.documents);
  const folders = openFolders({ ...config, limits: config.folderLimits, documents, clock, logger });
  const callers = callersOf(config, { ...options, grants: state.grants });
  const log = createAuditLog(logger);
  const audit = callers.owner?.refused.watching(log) ?? log;
  const instructions = ownText(config.instructions, space?.silverbullet.store ?? null);
  const mcp = createMcpEndpoint({
    tools: allTools,
    services: { notes, folders, status: createStatus({ ...config, version, notes, fault: state.fault }) },
    ...{ readOnly: config.readOnly, errorStyle: config.errorStyle, maxBodyBytes: config.maxBodyBytes },
    ...{ clock, logger, audit, version, instructions },
  });
  const answer = createHttp({
    ...config,
    wildcardBind: config.host === "0.0.0.0" || config.host === "::",
    callers,
    space: config.silverbullet === null ? null : spaceWords(config.silverbullet.publicUrl),
    unknownRedirects: config.oauth?.unknownRedirects ?? "warn",
    writingTools: new Set(allTools.filter(({ hints }) => !hints.readOnlyHint).map(({ name }) => name)),
    ...{ mcp, metrics, notes, instructions, audit, clock, logger, fault: state.fault },
    ready: (signal) => readiness({ silverbullet: space?.silverbullet ?? null, folders }, signal),
    landing: landingFacts({
      ...config,
      ...{ signIn: callers.signIn !== null, version, revisions: protocolRevisions },
    }),
  });
  const handle = (exchange: Exchange) => scope.run(exchange.id, () => answer(exchange));
  return {
    handle,
    fetch: (request, peer) => handle(exchangeOfRequest(request, { peer, id: randomId() })),
    mcp,
    async close() {
      await mcp.close();
      await space?.close();
      callers.owner?.refused.keep();
      state.close();
    },
  };
}

function callersOf(
  config: Config,
  { grants, ...options }: AppOptions & { readonly grants: State | null },
): Callers {
  return createCallers({
    ...config,
    ...options,
    ...{ fetch, origin: config.publicUrl, state: grants, hides: hidesTyped(config.hiddenPaths) },
    rootAliases: config.roots.map(({ alias }) => alias),
  });
}

interface Space {
  readonly silverbullet: SilverBullet;
  readonly notes: Notes;
  close(): Promise<void>;
}

interface SpaceOptions extends AppOptions {
  readonly setting: SilverBulletSetting;
  readonly state: State | null;
  readonly requestId: () => string | null;
}

function openSpace(config: Config, { setting, state, requestId, clock, logger }: SpaceOptions): Space {
  const lock: PathLock = openPathLock({ state, clock });
  const bodies = roomForPages(clock);
  const open = (token: string | null) =>
    openSilverBullet({
      url: setting.url,
      token,
      caPem: setting.caPem,
      ...{ clock, lock, logger, bodies },
      readOnly: config.readOnly,
      requestId,
    });
  const silverbullet = open(setting.token);
  const kept = openKeptAccounts({ ...config.state, ...setting, ...{ state, clock, logger } });
  const accounts = openAccounts(silverbullet, { ...config, open, kept });
  const notes = openNotes({
    store: silverbullet.store,
    storeFor: (principal) => accounts.of(principal).store,
    revisionsFor: (principal) => accounts.of(principal).revisions,
    facts: () => silverbullet.facts(),
    hold: (work) => bodies.hold(work),
    ...{ state, lock, clock, log: logger },
    settings: { ...config, lockedPages: instructionPages(config.instructions) },
    index: {
      dir: config.state.dir,
      poll: { inUse: setting.pollSeconds.inUse * 1000, idle: setting.pollSeconds.idle * 1000 },
      folder: setting.spacePath === null ? null : openSpaceFolder({ path: setting.spacePath, clock }),
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
      accounts.close();
    },
  };
}

interface Behind {
  readonly silverbullet: SilverBullet | null;
  readonly folders: Folders | null;
}

async function readiness({ silverbullet, folders }: Behind, signal: AbortSignal): Promise<Readiness> {
  const [space, readable] = await Promise.all([silverbullet?.ready(signal), folders?.readable(signal)]);
  if (space?.ok === false) return { ok: false, reason: `silverbullet_${space.kind}` };
  return readable === false ? { ok: false, reason: "folder_unreadable" } : { ok: true };
}
