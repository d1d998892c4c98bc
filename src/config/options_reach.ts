/** The rows about what is reached and where this program listens: SilverBullet, folders, the listener. */

import { boolean, integer, path, token } from "./kinds.ts";
import { addresses, host, hosts, origin, origins, url } from "./kinds_network.ts";
import { nameGlobs, pollSeconds, roots } from "./kinds_product.ts";
import { bareBridge, bridge, mcpSilverbullet, row, server } from "./option.ts";
import { lenientSwitch, originOfResource } from "./old_values.ts";

const silverbullet = "SilverBullet";
const folders = "Folders";
const listening = "Listening";

export const reachOptions = {
  CONFIG: row({ section: listening, kind: path(), help: "Configuration file (YAML)" }),

  SILVERBULLET_URL: row({
    section: silverbullet,
    kind: url(),
    help: "Address of SilverBullet; may carry a path prefix",
  }, { aliases: [mcpSilverbullet("SB_URL"), server("SB_URL")] }),
  SILVERBULLET_TOKEN: row({
    section: silverbullet,
    kind: token(),
    help: "What SilverBullet has as `SB_AUTH_TOKEN`, or an access token of an account",
  }, { secret: true, aliases: [mcpSilverbullet("SB_TOKEN"), server("SB_TOKEN")] }),
  SILVERBULLET_PUBLIC_URL: row({
    section: silverbullet,
    kind: url(),
    help: "Address that people open in a browser; links in results point there",
  }, { derived: "`SILVERBULLET_URL`" }),
  SILVERBULLET_CA_FILE: row({
    section: silverbullet,
    kind: path("path of a PEM file"),
    help: "Certificate of a private authority that SilverBullet's certificate comes from",
  }),
  SPACE_PATH: row({
    section: silverbullet,
    kind: path("path of a folder"),
    help: "The space's folder on this machine, read only: makes indexing faster, never necessary",
  }, { aliases: [mcpSilverbullet("SPACE_PATH")] }),
  POLL_SECONDS: row({
    section: silverbullet,
    kind: pollSeconds(),
    help: "How often the page list is polled while in use and while idle, where there are no events",
  }, { fallback: [5, 60] }),

  ROOTS: row({
    section: folders,
    kind: roots(),
    help: "Folders that assistants may read, each under a short name; also a list in the configuration file",
  }, { aliases: [bridge("ROOTS")] }),
  EXCLUDE: row({
    section: folders,
    kind: nameGlobs(),
    help: "More names that stay hidden, besides secrets, keys, repositories and caches",
  }, { fallback: [] }),
  ALLOW_GENERATED_NAMES: row({
    section: folders,
    kind: boolean(),
    help: "Show build and output folders such as `dist`, `build`, `target`; never secrets",
  }, { fallback: false }),
  ALLOW_BROAD_ROOT: row({
    section: folders,
    kind: boolean(),
    help: "Accept a home folder or `/etc` as a root",
  }, { fallback: false }),
  REFUSE_HARD_LINKS: row({
    section: folders,
    kind: boolean(),
    help: "Refuse files that have more than one name, which no path check can follow",
  }, { fallback: false }),

  HOST: row({ section: listening, kind: host(), help: "Address to listen on; 0.0.0.0 means all" }, {
    derived: "127.0.0.1",
    aliases: [mcpSilverbullet("HOST"), bridge("HOST")],
  }),
  PORT: row({ section: listening, kind: integer(1, 65535), help: "Port to listen on" }, {
    derived: "8787",
    aliases: [mcpSilverbullet("PORT"), bridge("PORT"), server("PORT", { common: true })],
  }),
  PUBLIC_URL: row({
    section: listening,
    kind: origin(),
    help: "Origin that clients reach, such as the tunnel's or proxy's; https, or http on loopback",
  }, {
    derived: "from `HOST` and `PORT`",
    aliases: [
      server("PUBLIC_URL", { common: true }),
      mcpSilverbullet("RESOURCE_URL", { read: originOfResource }),
    ],
  }),
  ALLOWED_HOSTS: row({
    section: listening,
    kind: hosts(),
    help: "Further host names that requests may carry, besides loopback, `HOST` and the one of `PUBLIC_URL`",
  }, {
    derived: "from `HOST` and `PUBLIC_URL`",
    aliases: [mcpSilverbullet("ALLOWED_HOSTS"), bridge("ALLOWED_HOSTS")],
  }),
  ALLOWED_ORIGINS: row({
    section: listening,
    kind: origins(),
    help:
      "Further browser origins, besides loopback, `PUBLIC_URL` and, for `/mcp`, claude.ai, claude.com, chatgpt.com",
  }, { derived: "from `HOST` and `PUBLIC_URL`", aliases: [bridge("ALLOWED_ORIGINS")] }),
  TRUSTED_PROXIES: row({
    section: listening,
    kind: addresses(),
    help: "Addresses of proxies whose forwarding headers count",
  }, { fallback: [] }),
  PUBLIC_MODE: row({
    section: listening,
    kind: boolean(),
    help: "Strict rules for a server that others can reach: strong tokens, a rate limit, no open endpoint",
  }, {
    derived: "on when bound or published beyond loopback",
    aliases: [bridge("PUBLIC_MODE", { either: true }), bridge("TUNNEL_MODE", { either: true })],
  }),
  ALLOW_QUERY_TOKEN_AUTH: row({
    section: listening,
    kind: boolean(),
    help: "Let `?token=` authenticate, outside public mode only",
  }, { fallback: false, old: true, aliases: [bareBridge("ALLOW_QUERY_TOKEN_AUTH")] }),
  INCLUDE_LOCAL_PATHS: row({
    section: folders,
    kind: boolean(),
    help: "Accepted without effect: no answer holds a path of this machine",
  }, { fallback: false, old: true, aliases: [bareBridge("INCLUDE_LOCAL_PATHS", { read: lenientSwitch })] }),
};
