/** The rows about who may come in and what is kept: authentication, OAuth, JWT, state. */

import { boolean, bytes, choice, duration, list, path, text, token } from "./kinds.ts";
import { headerName, redirects, url } from "./kinds_network.ts";
import { algorithms as algorithmsKind, authWays as authWaysKind, ownerSecret } from "./kinds_product.ts";
import { algorithms, authWays } from "./old_values.ts";
import { bridge, mcpSilverbullet, row, server } from "./option.ts";

const authentication = "Authentication";
const oauth = "OAuth";
const jwt = "JWT";
const state = "State";

export const accessOptions = {
  AUTH: row({
    section: authentication,
    kind: authWaysKind(),
    help: "Ways in; `none` is for loopback only",
  }, { derived: "from what is set", aliases: [mcpSilverbullet("AUTH_MODE", { read: authWays })] }),
  TOKEN: row({
    section: authentication,
    kind: token(),
    help: "One static token with full rights; more, with rights of their own, in the configuration file",
  }, { secret: true, aliases: [mcpSilverbullet("TOKEN"), server("MCP_TOKEN"), bridge("TOKEN")] }),
  OWNER_SECRET: row({
    section: oauth,
    kind: ownerSecret(),
    help: "What the owner types to sign a client in: at least 12 characters, or its `scrypt$…` hash",
  }, { secret: true, aliases: [server("OWNER_TOKEN")] }),
  OAUTH_CLIENT_ID: row({
    section: oauth,
    kind: text(),
    help: "Identifier of one client registered beforehand",
  }, { aliases: [server("OAUTH_CLIENT_ID")] }),
  OAUTH_CLIENT_SECRET: row({ section: oauth, kind: token(), help: "Secret of that client" }, {
    secret: true,
    aliases: [server("OAUTH_CLIENT_SECRET")],
  }),
  OAUTH_REDIRECT_URIS: row({
    section: oauth,
    kind: redirects(),
    help: "Where that client may be sent back to",
  }, {
    fallback: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  }),
  REGISTRATION: row({
    section: oauth,
    kind: boolean(),
    help: "Let clients register themselves (the owner still approves each)",
  }, { fallback: true }),
  CLIENT_DOCUMENTS: row({
    section: oauth,
    kind: boolean(),
    help: "Accept clients that are known by a document at their own address",
  }, { fallback: true }),
  UNKNOWN_REDIRECTS: row({
    section: oauth,
    kind: choice(["warn", "refuse", "allow"]),
    help: "What the consent page does about redirect hosts that nobody knows",
  }, { fallback: "warn" }),
  ACCESS_TOKEN_HOURS: row({
    section: oauth,
    kind: duration("hours", { min: 1, max: 8760 }),
    help: "How long an access token lasts",
  }, { fallback: 24 }),
  REFRESH_TOKEN_DAYS: row({
    section: oauth,
    kind: duration("days", { min: 1, max: 3650 }),
    help: "How long a client may stay away before it must sign in again",
  }, { fallback: 90 }),
  GRANT_MAX_DAYS: row({
    section: oauth,
    kind: duration("days", { min: 1, max: 3650 }),
    help: "When a client must sign in again in any case",
  }, { fallback: 365 }),
  JWT_SIGNING_KEY: row({
    section: oauth,
    kind: text("secret"),
    help: "Signs nothing any more; a changed value revokes every grant once",
  }, { secret: true, old: true, aliases: [server("JWT_SIGNING_KEY")] }),

  JWT_ISSUER: row({ section: jwt, kind: text(), help: "The `iss` that tokens must carry, exactly" }, {
    aliases: [mcpSilverbullet("JWT_ISSUER")],
  }),
  JWT_AUDIENCE: row({
    section: jwt,
    kind: list("texts, separated by commas"),
    help: "The `aud` that tokens must carry, one of these",
  }, { aliases: [mcpSilverbullet("JWT_AUDIENCE")] }),
  JWT_JWKS_URL: row({ section: jwt, kind: url(), help: "Where the identity provider publishes its keys" }, {
    aliases: [mcpSilverbullet("JWT_JWKS_URL")],
  }),
  JWT_ALGORITHMS: row({ section: jwt, kind: algorithmsKind(), help: "Signature algorithms that count" }, {
    fallback: ["RS256"],
    aliases: [mcpSilverbullet("JWT_ALGORITHMS", { read: algorithms })],
  }),
  JWT_LEEWAY_SECONDS: row({
    section: jwt,
    kind: duration("seconds", { min: 0, max: 86400 }),
    help: "How far clocks may differ",
  }, { fallback: 30, aliases: [mcpSilverbullet("JWT_LEEWAY_SECONDS")] }),
  JWT_HEADER: row({
    section: jwt,
    kind: headerName(),
    help: "The header that carries the token, such as `cf-access-jwt-assertion`; it alone then decides",
  }, { fallback: "authorization" }),

  STATE_DIR: row({
    section: state,
    kind: path("path of a folder"),
    help: "Where index, history, locks and grants are kept",
  }, { derived: "`$STATE_DIRECTORY`, else the XDG state home" }),
  STATE_KEY: row({ section: state, kind: token(), help: "Seals what must be readable again" }, {
    secret: true,
    derived: "a generated file beside the state",
  }),
  STATE_MAX_BYTES: row({
    section: state,
    kind: bytes(16 * 1024 ** 2, 1024 ** 4),
    help: "How much the state folder may hold; the index goes first, then history",
  }, { fallback: 1024 ** 3 }),
};
