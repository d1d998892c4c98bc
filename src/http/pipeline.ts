/**
 * The gates in their one order, then the handler: rate limit, Host, Origin, token in the address, route,
 * authentication, method, body, handler. The connection and header limits came before, in the listener.
 */

import type { Principal } from "../core/principal.ts";
import type { Exchange } from "../web/exchange.ts";
import { toolOfRoute } from "./files_api/tools.ts";
import type { Gate } from "../web/gate.ts";
import type { Bearer, Identity } from "./bearer.ts";
import { readBody } from "./body_gate.ts";
import type { OriginGate } from "./origin_gate.ts";
import type { RateGate } from "./rate_gate.ts";
import { Refusal, refuse } from "./refusals.ts";
import { findRoute, type Route, type RouteName } from "./routes.ts";
import type { ScopeGate } from "./scope_gate.ts";
import { preflight, withCors } from "./cors.ts";

/** A request that passed every gate of its route. */
export interface Passed {
  readonly exchange: Exchange;
  /** `null` on open routes when nobody known is calling. */
  readonly principal: Principal | null;
  /** `null` on routes without a body. */
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export type Handler = (passed: Passed) => Response | Promise<Response>;

export interface PipelineOptions {
  readonly bearer: Bearer;
  readonly rate: RateGate;
  readonly host: Gate;
  readonly origin: OriginGate;
  readonly urlToken: Gate<{ readonly queryToken: string | null }>;
  readonly maxBodyBytes: number;
  /** Routes of parts without a handler do not exist: those for signing in, where clients do not. */
  readonly handlers: Readonly<Partial<Record<RouteName, Handler>>>;
  /** True for a caller on this very machine who counts as the operator. */
  readonly isOperator?: (exchange: Exchange) => boolean;
  /** Told of every answer. */
  readonly answered?: (route: string, status: number) => void;
  /** Looks at what a known caller wants with the body; `null` without signing in. */
  readonly scope: ScopeGate | null;
  /** Turns a refusal into a page where a person is looking. */
  readonly present: (exchange: Exchange, refusal: Refusal) => Response;
}

/** Why nothing is at that address. */
function absent(path: string): "not-found" | "no-sign-in" | "no-owner-page" | "no-folders" {
  const route = findRoute(path);
  if (route === null) return "not-found";
  if (Object.hasOwn(toolOfRoute, route.name) || route.name === "call") return "no-folders";
  return route.path.startsWith("/owner") ? "no-owner-page" : "no-sign-in";
}

export function createPipeline(options: PipelineOptions): (exchange: Exchange) => Promise<Response> {
  function routeOf(exchange: Exchange): Route | null {
    const route = findRoute(exchange.path);
    return route === null || options.handlers[route.name] === undefined ? null : route;
  }

  async function answer(exchange: Exchange, route: Route | null): Promise<Response> {
    const token = options.urlToken(exchange);
    const queryToken = token instanceof Response ? null : token.queryToken;
    const identity = await options.bearer.identify(exchange, queryToken);
    const refusal = doorway(exchange, { route, identity });
    if (refusal !== null) return refusal;
    if (token instanceof Response) return token;
    if (route === null) return refuse(absent(exchange.path));
    return await enter(exchange, route, identity);
  }

  function doorway(
    exchange: Exchange,
    seen: { readonly route: Route | null; readonly identity: Identity },
  ): Response | null {
    const { route, identity } = seen;
    if (route?.exempt === true) return null;
    return options.rate(exchange, identity) ?? options.host(exchange) ??
      options.origin(exchange, route?.origins ?? "all");
  }

  async function enter(exchange: Exchange, route: Route, identity: Identity): Promise<Response> {
    const principal = identity.kind === "known" ? identity.principal : null;
    exchange.note(principal === null ? { route: route.path } : { route: route.path, client: principal.id });
    const isOperator = () => options.isOperator?.(exchange) === true;
    if (route.local === true && !isOperator()) return refuse("generic /call is localhost-only");
    const isLetIn = route.access === "open" || principal !== null ||
      route.access === "operator" && identity.kind === "none" && isOperator();
    if (!isLetIn) return options.bearer.refusal(identity);
    if (route.origins === "any" && exchange.method === "OPTIONS") return preflight(route);
    if (!route.methods.includes(exchange.method)) {
      return refuse("method-not-allowed", { headers: { allow: route.methods.join(", ") } });
    }
    const limit = Math.min(options.maxBodyBytes, route.maxBodyBytes ?? Infinity);
    const body = route.body ? await readBody(exchange, limit) : null;
    if (body instanceof Response) return body;
    const scope = principal === null ? null : options.scope?.(principal, body) ?? null;
    return scope ?? await options.handlers[route.name]?.({ exchange, principal, body }) ??
      refuse("not-found");
  }

  function presented(exchange: Exchange, response: Response): Response {
    if (!(response instanceof Refusal)) return response;
    exchange.note({ code: response.code });
    return options.present(exchange, response);
  }

  return async (exchange) => {
    const route = routeOf(exchange);
    const response = presented(exchange, await answer(exchange, route));
    options.answered?.(route?.path ?? "other", response.status);
    return route?.origins === "any" ? withCors(response) : response;
  };
}
