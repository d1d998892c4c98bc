/** The HTTP surface of the program: gates, routes and handlers put together. Opens no port. */

import type { Callers } from "../access/callers.ts";
import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import type { OwnText } from "../mcp/own_text.ts";
import type { Notes } from "../notes/notes.ts";
import type { StateFault } from "../state/fault.ts";
import { allTools } from "../tools/all.ts";
import { type Exchange, toRequest } from "../web/exchange.ts";
import { isLocalCaller } from "../web/peer.ts";
import { htmlResponse, textResponse } from "../web/respond.ts";
import { createBearer } from "./bearer.ts";
import { type CallerAddress, createCallerAddress, createTrust } from "./caller_address.ts";
import { createFilesApi } from "./files_api/files_api.ts";
import { createHostGate } from "./host_gate.ts";
import type { Metrics } from "./metrics.ts";
import { createOwnerHandler } from "./owner/owner_handler.ts";
import { createOriginGate } from "./origin_gate.ts";
import { presentRefusal } from "./pages/error_page.ts";
import { type LandingFacts, renderLanding } from "./pages/landing.ts";
import type { SpaceWords } from "./pages/owner/caller_words.ts";
import passkeyScript from "./pages/owner/passkeys.js" with { type: "text" };
import style from "./pages/style.css" with { type: "text" };
import { createPipeline, type Handler, type PipelineOptions } from "./pipeline.ts";
import { createHealth, createReadyz, healthz, type Readiness } from "./probes.ts";
import { createQuietLog } from "./quiet_log.ts";
import { stateReadiness } from "./readiness.ts";
import { createRateGate } from "./rate_gate.ts";
import { refuse } from "./refusals.ts";
import { resourceMetadataAddress } from "../oauth/metadata.ts";
import { resourceScopes } from "../oauth/scopes.ts";
import { createScopeGate } from "./scope_gate.ts";
import { createSignInHandlers, providerHandlers } from "./sign_in_handlers.ts";
import { createUrlTokenGate } from "./url_token.ts";

export interface HttpOptions {
  /** Origin that clients reach, without a trailing slash. */
  readonly publicUrl: string;
  readonly allowedHosts: readonly string[];
  /** True when the listener is bound to every address of the machine. */
  readonly wildcardBind: boolean;
  readonly allowedOrigins: readonly string[];
  readonly mcpOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly publicMode: boolean;
  readonly allowQueryToken: boolean;
  readonly rateLimitPerMinute: number;
  /** As the settings say it, before public mode has its own default. */
  readonly configuredRateLimitPerMinute: number;
  readonly maxBodyBytes: number;
  readonly callers: Callers;
  /** The notes as people know them; `null` on a server over folders alone. */
  readonly space: SpaceWords | null;
  readonly notes: Notes | null;
  readonly readOnly: boolean;
  /** Tokens of the settings, and folders. */
  readonly tokens: readonly { readonly name: string }[];
  readonly roots: readonly { readonly alias: string }[];
  readonly instructions: OwnText | null;
  readonly audit: Audit;
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  /** Names of the tools that change something. */
  readonly writingTools: ReadonlySet<string>;
  readonly mcp: Pick<McpEndpoint, "handle" | "run">;
  readonly ready: (signal: AbortSignal) => Promise<Readiness>;
  /** Why changes cannot be recorded now, or `null`; left out where nothing is recorded. */
  readonly fault?: () => StateFault | null;
  readonly landing: LandingFacts;
  /** Left out: nothing is counted, and there is nothing to ask. */
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createHttp(given: HttpOptions): (exchange: Exchange) => Promise<Response> {
  const options: HttpOptions = { ...given, ready: readyWithState(given) };
  const { clock, logger, callers } = options;
  const landing = renderLanding(options.landing);
  const challenge = challengeOf(options);
  const callerAddress = createCallerAddress(createTrust(options.trustedProxies));
  return createPipeline({
    bearer: createBearer({ ...callers, challenge, local: options.publicMode ? null : callers.local }),
    rate: createRateGate({
      perMinute: options.rateLimitPerMinute,
      callerAddress,
      clock,
    }),
    ...originGates(options),
    urlToken: createUrlTokenGate({ allowed: options.allowQueryToken && !options.publicMode }),
    maxBodyBytes: options.maxBodyBytes,
    scope: callers.signIn === null ? null : createScopeGate({ writing: options.writingTools, challenge }),
    handlers: {
      ...signInHandlers(options, callerAddress),
      ...ownerHandlers(options, callerAddress),
      ...filesHandlers(options),
      mcp: mcpHandler(options),
      healthz,
      readyz: createReadyz({ check: options.ready, clock, logger }),
      ...(options.metrics === undefined ? {} : { metrics: options.metrics.handler }),
      health: createHealth({
        publicMode: options.publicMode,
        queryTokenAllowed: options.allowQueryToken,
        rateLimitPerMinute: options.rateLimitPerMinute,
        configuredRateLimitPerMinute: options.configuredRateLimitPerMinute,
      }),
      landing: () => htmlResponse(200, landing),
      style: () => staticText(style, "text/css"),
    },
    isOperator: (exchange) => !options.publicMode && isLocalCaller(exchange),
    ...(options.metrics === undefined ? {} : { answered: options.metrics.answered }),
    present: presentRefusal,
  });
}

/** Where no change can be recorded, nothing else has to be asked. */
function readyWithState({ ready, fault }: HttpOptions): HttpOptions["ready"] {
  return async (signal) => stateReadiness(fault?.() ?? null) ?? await ready(signal);
}

/** Whoever is refused for where they say they come from is told of in the log, with the setting that lets them in. */
function originGates(options: HttpOptions): Pick<PipelineOptions, "host" | "origin"> {
  const quiet = createQuietLog({ ...options, perMinute: 10 });
  const warn = (event: string, fields: Readonly<Record<string, string>>) =>
    quiet({ level: "warn", event, key: "", fields });
  return {
    host: createHostGate({
      allowed: options.allowedHosts,
      wildcardBind: options.wildcardBind,
      onRefused: (host) =>
        warn("host_refused", {
          host,
          mend:
            "set SILVERBRIDGE_PUBLIC_URL to the address clients use, or add the name to SILVERBRIDGE_ALLOWED_HOSTS",
        }),
    }),
    origin: createOriginGate({
      allowed: options.allowedOrigins,
      mcp: options.mcpOrigins,
      onRefused: (origin) =>
        warn("origin_refused", {
          origin,
          mend: "add it to SILVERBRIDGE_ALLOWED_ORIGINS if that page is yours",
        }),
    }),
  };
}

/** What a 401 says about where to get a token: where the document lies, and everything there is to ask for. */
function challengeOf({ callers: { signIn, issuer }, publicUrl }: HttpOptions): readonly string[] {
  if (signIn === null && issuer === null) return [];
  const document = `resource_metadata="${resourceMetadataAddress(publicUrl)}"`;
  return signIn === null ? [document] : [document, `scope="${resourceScopes.join(" ")}"`];
}

function signInHandlers(options: HttpOptions, callerAddress: CallerAddress) {
  const { callers: { signIn, issuer }, publicUrl } = options;
  if (signIn === null) return issuer === null ? {} : providerHandlers(publicUrl, issuer);
  const warnsOfHosts = options.unknownRedirects !== "allow";
  const space = options.space?.name ?? null;
  return createSignInHandlers({ ...options, space, server: signIn, callerAddress, warnsOfHosts });
}

function ownerHandlers(
  options: HttpOptions,
  callerAddress: CallerAddress,
): { readonly owner?: Handler; readonly "owner-script"?: Handler } {
  const { callers: { owner }, landing: connect } = options;
  if (owner === null) return {};
  return {
    "owner-script": () => staticText(passkeyScript, "text/javascript"),
    owner: createOwnerHandler({
      ...options,
      ...{ owner, callerAddress, connect, version: connect.version },
      tokens: options.tokens.map(({ name }) => name),
      roots: options.roots.map(({ alias }) => alias),
    }),
  };
}

/** There where folders are. */
function filesHandlers({ roots, mcp }: HttpOptions) {
  return roots.length === 0 ? {} : createFilesApi({ run: mcp.run, tools: allTools });
}

/** What is the same for everybody. */
function staticText(text: string, type: string): Response {
  return textResponse(200, text, {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "public, max-age=3600",
  });
}

function mcpHandler(options: HttpOptions): Handler {
  return ({ exchange, principal, body }) => {
    if (principal === null) return refuse("invalid-token");
    const request = toRequest(exchange, { origin: options.publicUrl, body });
    return options.mcp.handle(request, {
      principal,
      requestId: exchange.id,
      userAgent: exchange.header("user-agent"),
    });
  };
}
