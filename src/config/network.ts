/** Cross rules about listening: address, origin, allowed names, public mode, limits that hang on them. */

import type { Config } from "./config.ts";
import { type Context, named } from "./context.ts";
import { isLoopbackHost, isWildcardHost, urlHost } from "./kinds_network.ts";
import { oldDefaults } from "./programs.ts";

/** Browser origins of the assistants that call `/mcp` from a page. */
const assistantOrigins = ["https://claude.ai", "https://claude.com", "https://chatgpt.com"];
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

export type Network =
  & Pick<
    Config,
    | "host"
    | "port"
    | "publicUrl"
    | "allowedHosts"
    | "anyIpHost"
    | "allowedOrigins"
    | "mcpOrigins"
    | "trustedProxies"
    | "publicMode"
    | "allowQueryToken"
    | "rateLimitPerMinute"
    | "configuredRateLimitPerMinute"
  >
  & {
    /** Bound to an address that others can reach. */
    readonly beyond: boolean;
    /** Reachable by others, by its own address or through a tunnel or proxy. */
    readonly exposed: boolean;
    /** Bound beyond loopback without an origin of its own: plain http on the local network. */
    readonly lan: boolean;
  };

export function settleNetwork(context: Context): Network {
  const { values, report } = context;
  const serving = context.source.purpose !== "stdio";
  const defaults = oldDefaults(context.programs);
  const host = values.HOST ?? defaults.host;
  const port = values.PORT ?? defaults.port;
  const beyond = serving && !isLoopbackHost(host);
  const publicUrl = values.PUBLIC_URL ?? derivedUrl(host, port);
  const published = serving && !isLoopbackHost(new URL(publicUrl).hostname);
  const lan = beyond && !context.attempted.has("PUBLIC_URL");
  const exposed = beyond || published;
  if (values.PUBLIC_URL !== null) checkScheme(values.PUBLIC_URL, context);
  const publicMode = serving && (values.PUBLIC_MODE ?? exposed);
  if (serving) checkPublicMode(context, { beyond, published });
  if (publicMode && values.ALLOW_QUERY_TOKEN_AUTH) {
    const name = named(context, "ALLOW_QUERY_TOKEN_AUTH");
    report.problem(
      name,
      `${name} must be off in public mode`,
      "Remove it; send the token in the Authorization header",
    );
  } else if (values.ALLOW_QUERY_TOKEN_AUTH) {
    const name = named(context, "ALLOW_QUERY_TOKEN_AUTH");
    report.warn("query_token", `${name} is on: tokens in addresses end up in logs and histories`);
  }
  return {
    ...{ host, port, publicUrl, beyond, exposed, lan, publicMode },
    allowedHosts: [
      ...new Set([...loopbackHosts, ...ownHosts(host, publicUrl), ...values.ALLOWED_HOSTS ?? []]),
    ],
    anyIpHost: lan && isWildcardHost(host),
    allowedOrigins: [...new Set([...ownOrigins(host, port), publicUrl, ...values.ALLOWED_ORIGINS ?? []])],
    mcpOrigins: assistantOrigins,
    trustedProxies: values.TRUSTED_PROXIES,
    allowQueryToken: values.ALLOW_QUERY_TOKEN_AUTH,
    ...rateLimit(context, publicMode),
  };
}

function checkScheme(publicUrl: string, context: Context): void {
  const url = new URL(publicUrl);
  if (url.protocol === "https:" || isLoopbackHost(url.hostname)) return;
  const name = named(context, "PUBLIC_URL");
  const mend = "Put a proxy or tunnel with a certificate in front and name its https address; " +
    "for a plain server on the local network leave it out and use static tokens";
  context.report.problem(name, `${name} must begin with https://`, mend);
}

function checkPublicMode(
  context: Context,
  { beyond, published }: { beyond: boolean; published: boolean },
): void {
  if (context.values.PUBLIC_MODE !== false) return;
  const name = named(context, "PUBLIC_MODE");
  if (beyond) {
    const mend = `Remove it, or set ${named(context, "HOST")} to 127.0.0.1`;
    context.report.problem(name, `${name} must not be off while the server listens beyond loopback`, mend);
  } else if (published) {
    context.report.warn(
      "public_mode_off",
      `${name} is off although ${named(context, "PUBLIC_URL")} is reachable by others`,
    );
  }
}

function rateLimit(
  context: Context,
  publicMode: boolean,
): Pick<Config, "rateLimitPerMinute" | "configuredRateLimitPerMinute"> {
  const given = context.values.RATE_LIMIT_PER_MINUTE;
  if (publicMode && given === 0) {
    const name = named(context, "RATE_LIMIT_PER_MINUTE");
    context.report.problem(
      name,
      `${name} must not be 0 in public mode`,
      "Remove it for 600, or set a number above 0",
    );
  }
  return {
    rateLimitPerMinute: given ?? (publicMode ? 600 : 0),
    configuredRateLimitPerMinute: given ?? 0,
  };
}

/** The address to try first: a listener on all interfaces is reached on loopback too. */
function derivedUrl(host: string, port: number): string {
  const name = isWildcardHost(host) ? "127.0.0.1" : urlHost(host);
  return new URL(`http://${name}:${port}`).origin;
}

function ownHosts(host: string, publicUrl: string): readonly string[] {
  const published = new URL(publicUrl).hostname;
  return isWildcardHost(host) ? [published] : [urlHost(host), published];
}

function ownOrigins(host: string, port: number): readonly string[] {
  const names = isWildcardHost(host) ? loopbackHosts : [...loopbackHosts, urlHost(host)];
  return names.map((name) => new URL(`http://${name}:${port}`).origin);
}

/** Smallest body limit that lets a page of full size through, escaped as JSON. */
export function settleBodyLimit(context: Context, withNotes: boolean): number {
  const { values, report } = context;
  const floor = withNotes ? 6 * values.MAX_PAGE_BYTES + 65_536 : 0;
  const wanted = values.MAX_BODY_BYTES ?? (withNotes ? 4 * 1024 ** 2 : 1_000_000);
  if (values.MAX_BODY_BYTES !== null && wanted < floor) {
    const name = named(context, "MAX_BODY_BYTES");
    report.warn("body_limit_raised", `${name} is raised to ${floor}, so that a page of full size fits`);
  }
  return Math.max(wanted, floor);
}
