/**
 * The permissions of the server worker, worked out from the configuration: the fence of the running program.
 *
 * What is not named here is refused by Deno in the worker whatever the code there does: other hosts, other files,
 * the environment, other programs. Read permission does not stop symbolic links; `folders/` has its own check.
 */

import type { Config } from "../config/config.ts";
import type { Transport } from "./messages.ts";

export type ServerPermissions = WorkerPermissions & { readonly net: string[] };

export interface WorkerPermissions {
  readonly net: string[] | true;
  readonly read: string[];
  readonly write: string[];
  readonly env: false;
  readonly run: false;
  readonly ffi: false;
  readonly sys: false;
  readonly import: false;
}

/** Paths in `config` must be canonical already: Deno compares them as written. */
export function serverPermissions(
  config: Config,
  { transport = "http" }: { readonly transport?: Transport } = {},
): ServerPermissions {
  const { silverbullet, jwt, roots } = config;
  const stateDirs = stateFolders(config);
  return {
    net: distinct([
      ...(transport === "http" ? [listenHost(config)] : []),
      ...(silverbullet === null ? [] : [urlHost(silverbullet.url)]),
      ...(jwt === null ? [] : [urlHost(jwt.jwksUrl)]),
    ]),
    read: distinct([
      ...roots.map((root) => root.path),
      ...(silverbullet === null || silverbullet.spacePath === null ? [] : [silverbullet.spacePath]),
      ...stateDirs,
    ]),
    write: stateDirs,
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

/**
 * The permissions of the worker that fetches client documents: it may connect anywhere, since its addresses are named
 * by strangers and judged after they are resolved, and it can do nothing else.
 */
export function documentPermissions(): WorkerPermissions {
  return { net: true, read: [], write: [], env: false, run: false, ffi: false, sys: false, import: false };
}

/** The listening address as Deno wants it in a permission: IPv6 in brackets. */
export function listenHost(config: Pick<Config, "host" | "port">): string {
  const bare = config.host.replace(/^\[|\]$/g, "");
  return `${bare.includes(":") ? `[${bare}]` : bare}:${config.port}`;
}

/** Host and port of a URL; `URL` keeps the brackets of IPv6 and writes names in punycode, as Deno wants them. */
function urlHost(text: string): string {
  const url = new URL(text);
  return `${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`;
}

function stateFolders(config: Config): string[] {
  return keepsState(config) && config.state.dir !== null ? [config.state.dir] : [];
}

/** A server over folders alone keeps no state, unless clients sign in to it. */
export function keepsState({ silverbullet, oauth }: Pick<Config, "silverbullet" | "oauth">): boolean {
  return silverbullet !== null || oauth !== null;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
