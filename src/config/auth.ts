/** Cross rules about who may come in: which ways are open, what each of them needs, and how strong a secret must be. */

import { sha256Hex } from "../core/secrets.ts";
import type { AuthWay, Config, JwtSetting, OauthSetting, TokenSetting } from "./config.ts";
import { type Context, named } from "./context.ts";
import { isLoopbackHost } from "./kinds_network.ts";
import type { Network } from "./network.ts";
import { type OptionName, variableOf } from "./options.ts";
import { isStrongToken } from "./token_strength.ts";

export type Auth = Pick<Config, "auth" | "tokens" | "clients" | "oauth" | "jwt">;

export interface AuthOptions {
  readonly network: Network;
  /** SilverBullet is configured, or was meant to be. */
  readonly wantsNotes: boolean;
  /** The token for SilverBullet, as it came out. */
  readonly upstreamToken: string | null;
}

export function settleAuth(context: Context, options: AuthOptions): Auth {
  const { clients } = context.sections;
  if (context.source.purpose === "stdio") return { auth: [], tokens: [], clients, oauth: null, jwt: null };
  const auth = chooseWays(context, options);
  const tokens = auth.includes("token") ? acceptedTokens(context) : [];
  if (auth.includes("token")) {
    checkDirections(context, { tokens, upstreamToken: options.upstreamToken });
    if (options.network.publicMode) checkStrength(context);
  }
  const settled = {
    ...{ auth, tokens, clients },
    oauth: auth.includes("oauth") ? settleOauth(context) : null,
    jwt: auth.includes("jwt") ? settleJwt(context) : null,
  };
  sayWhatIsUnused(context, auth);
  return settled;
}

/** True where mcp-silverbullet's token is set: in its JWT mode that was for SilverBullet alone. */
export function tokenIsOld(context: Pick<Context, "given">): boolean {
  return context.given.get("TOKEN")?.alias?.name === "MCP_SILVERBULLET_TOKEN";
}

function chooseWays(context: Context, { network, wantsNotes }: AuthOptions): readonly AuthWay[] {
  const { values, report } = context;
  if (context.attempted.has("AUTH") && !context.given.has("AUTH")) return [];
  const wanted = values.AUTH ?? impliedWays(context);
  checkNeeds(context, wanted);
  const ways = network.lan ? wanted.filter((way) => way === "token") : wanted;
  if (network.lan) sayLan(context, wanted);
  if (ways.length > 0) return ways;
  const publicUrl = variableOf("PUBLIC_URL");
  if (wanted.length > 0) {
    report.problem(
      named(context, "AUTH"),
      `Listening beyond loopback without ${publicUrl} leaves static tokens as the only way in, and none is chosen`,
      `Set ${publicUrl} to the https address that clients reach, or set ${variableOf("TOKEN")}`,
    );
  } else if (network.exposed || network.publicMode) {
    report.problem(named(context, "AUTH"), "Public mode needs authentication, and none is chosen", choices());
  } else if (values.AUTH === null && wantsNotes) {
    const mend = `${choices()}; or ${variableOf("AUTH")}=none, on loopback only`;
    report.problem(variableOf("AUTH"), "SilverBullet is configured, but no authentication is chosen", mend);
  }
  return [];
}

function choices(): string {
  return `Choose one of three: ${variableOf("OWNER_SECRET")} (OAuth, for Claude and ChatGPT), ` +
    `${variableOf("TOKEN")} (a static token), or ${variableOf("JWT_ISSUER")} with ` +
    `${variableOf("JWT_AUDIENCE")} and ${variableOf("JWT_JWKS_URL")} (an identity provider)`;
}

/** From what is set. mcp-silverbullet's names alone mean JWT, whatever its token says. */
function impliedWays(context: Context): readonly AuthWay[] {
  const { attempted, sections, programs } = context;
  const ways: AuthWay[] = [];
  if (attempted.has("OWNER_SECRET") || attempted.has("OAUTH_CLIENT_ID")) ways.push("oauth");
  if (sections.tokens.length > 0 || (attempted.has("TOKEN") && !tokenIsOld(context))) ways.push("token");
  const anyJwt = (["JWT_ISSUER", "JWT_AUDIENCE", "JWT_JWKS_URL"] as const).some((name) =>
    attempted.has(name)
  );
  if (anyJwt || (programs.named.has("mcp-silverbullet") && ways.length === 0)) ways.push("jwt");
  return ways;
}

function checkNeeds(context: Context, ways: readonly AuthWay[]): void {
  const { values, sections, report } = context;
  function need(way: AuthWay, options: readonly OptionName[]): void {
    const missing = options.filter((option) => isMissing(values[option]) && !context.attempted.has(option));
    if (missing.length === 0) return;
    const names = missing.map(variableOf).join(", ");
    report.problem(
      named(context, "AUTH"),
      `Authentication by ${way} needs ${names}`,
      `Set ${missing.length === 1 ? "it" : "them"}, or choose another way with ${variableOf("AUTH")}`,
    );
  }
  if (ways.includes("oauth")) need("oauth", ["OWNER_SECRET"]);
  if (ways.includes("token") && sections.tokens.length === 0) need("token", ["TOKEN"]);
  if (ways.includes("jwt")) need("jwt", ["JWT_ISSUER", "JWT_AUDIENCE", "JWT_JWKS_URL"]);
  if (values.OAUTH_CLIENT_SECRET !== null && values.OAUTH_CLIENT_ID === null) {
    const name = named(context, "OAUTH_CLIENT_SECRET");
    report.problem(name, `${name} is set without ${variableOf("OAUTH_CLIENT_ID")}`, "Set both, or neither");
  }
}

function isMissing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function sayLan(context: Context, wanted: readonly AuthWay[]): void {
  const closed = wanted.filter((way) => way !== "token").join(" and ");
  const off = closed === "" ? "" : `, and ${closed} is off`;
  context.report.warn(
    "lan_server",
    `Listening beyond loopback without ${
      variableOf("PUBLIC_URL")
    }: a server for the local network over plain http, ` +
      `where only static tokens count${off}`,
  );
}

function acceptedTokens(context: Context): readonly TokenSetting[] {
  const { values, sections, report } = context;
  const own = values.TOKEN === null ? [] : [{
    ...{ name: "token", hash: sha256Hex(values.TOKEN), rights: null, roots: "all" as const },
    ...{ profile: null, silverbulletToken: null },
  }];
  const tokens = [...own, ...sections.tokens];
  for (const [index, token] of tokens.entries()) {
    const twin = tokens.slice(0, index).find((other) =>
      other.hash === token.hash || other.name === token.name
    );
    if (twin === undefined) continue;
    const what = twin.hash === token.hash ? "are the same token" : "have the same name";
    const message = `The static tokens "${twin.name}" and "${token.name}" ${what}`;
    report.problem("tokens", message, `Give each its own; "token" is the one of ${variableOf("TOKEN")}`);
  }
  return tokens;
}

/** Who steals a token that works in both directions has the notes twice; mcp-silverbullet documented it that way. */
function checkDirections(
  context: Context,
  { tokens, upstreamToken }: {
    readonly tokens: readonly TokenSetting[];
    readonly upstreamToken: string | null;
  },
): void {
  const { report, sections } = context;
  const inbound = new Set(tokens.map((token) => token.hash));
  const name = named(context, "SILVERBULLET_TOKEN");
  if (upstreamToken !== null && inbound.has(sha256Hex(upstreamToken))) {
    if (!tokenIsOld(context)) {
      const message = `${named(context, "TOKEN")} and ${name} must not be the same`;
      report.problem(
        name,
        message,
        "Make a new token for clients; SilverBullet's own stays between the two servers",
      );
    } else {
      report.warn(
        "token_both_ways",
        `${named(context, "TOKEN")} also opens SilverBullet; give clients another one`,
      );
    }
  }
  for (const rule of [...sections.tokens, ...sections.clients]) {
    if (rule.silverbulletToken === null || !inbound.has(sha256Hex(rule.silverbulletToken))) continue;
    const message = `The SilverBullet token of "${rule.name}" is accepted from clients too`;
    report.problem("silverbullet_token", message, "Give clients another token");
  }
}

function checkStrength(context: Context): void {
  const { report, sections, values } = context;
  const own = values.TOKEN === null ? [] : [{ name: named(context, "TOKEN"), text: values.TOKEN }];
  for (const { name, text } of [...own, ...sections.tokenTexts]) {
    if (isStrongToken(text)) continue;
    const message =
      `${name} is too weak for public mode: at least 32 characters are wanted, 10 of them different`;
    report.problem(name, message, "Make one with: openssl rand -hex 32");
  }
}

function settleOauth({ values }: Context): OauthSetting {
  return {
    ownerSecret: values.OWNER_SECRET,
    clientId: values.OAUTH_CLIENT_ID,
    clientSecret: values.OAUTH_CLIENT_SECRET,
    redirectUris: values.OAUTH_REDIRECT_URIS,
    registration: values.REGISTRATION,
    clientDocuments: values.CLIENT_DOCUMENTS,
    unknownRedirects: values.UNKNOWN_REDIRECTS,
    accessTokenHours: values.ACCESS_TOKEN_HOURS,
    refreshTokenDays: values.REFRESH_TOKEN_DAYS,
    grantMaxDays: values.GRANT_MAX_DAYS,
    revocationMark: values.JWT_SIGNING_KEY === null ? null : sha256Hex(values.JWT_SIGNING_KEY),
  };
}

function settleJwt(context: Context): JwtSetting {
  const { values, sections, report } = context;
  const jwksUrl = values.JWT_JWKS_URL ?? "";
  const url = URL.parse(jwksUrl);
  if (url?.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    report.warn(
      "jwks_over_http",
      `${
        named(context, "JWT_JWKS_URL")
      } is no https address: who changes the keys on the way signs in as anyone`,
    );
  }
  return {
    issuer: values.JWT_ISSUER ?? "",
    audience: values.JWT_AUDIENCE ?? [],
    jwksUrl,
    algorithms: values.JWT_ALGORITHMS,
    leewaySeconds: values.JWT_LEEWAY_SECONDS,
    header: values.JWT_HEADER,
    claims: sections.claims,
  };
}

function sayWhatIsUnused(context: Context, auth: readonly AuthWay[]): void {
  const { values, sections, report } = context;
  function say(what: string, way: string): void {
    report.warn("unused_setting", `${what} has no effect, as ${way} is not among the ways in`);
  }
  if (!auth.includes("token") && values.TOKEN !== null) {
    const name = named(context, "TOKEN");
    report.warn("unused_setting", `${name} is not accepted from clients, as token is not among the ways in`);
  }
  if (!auth.includes("token") && sections.tokens.length > 0) say("The section tokens", "token");
  if (!auth.includes("oauth") && values.OWNER_SECRET !== null) say(named(context, "OWNER_SECRET"), "oauth");
  if (!auth.includes("oauth") && sections.clients.length > 0) say("The section clients", "oauth");
  if (!auth.includes("jwt") && values.JWT_ISSUER !== null) say(named(context, "JWT_ISSUER"), "jwt");
  if (!auth.includes("jwt") && sections.claims.length > 0) say("The section claims", "jwt");
}
