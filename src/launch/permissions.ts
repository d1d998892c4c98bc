/**
 * The permissions of the server worker, worked out from the configuration: the fence of the running program.
 *
 * What is not named here is refused by Deno in the worker whatever the code there does: other hosts, other files,
 * the environment, other programs. Read permission does not stop symbolic links; `folders/` has its own check.
 */

import type { Config } from "../config/config.ts";

export interface ServerPermissions {
  readonly net: string[];
  readonly read: string[];
  readonly write: string[];
  readonly env: false;
  readonly run: false;
  readonly ffi: false;
  readonly sys: false;
  readonly import: false;
}

/** Paths in `config` must be canonical already: Deno compares them as written. */
export function serverPermissions(config: Config): ServerPermissions {
  const { silverbullet, jwt, roots } = config;
  const stateDirs = stateFolders(config);
  return {
    net: distinct([
      listenHost(config),
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

/** A server over folders alone keeps no state. */
function stateFolders(config: Config): string[] {
  return config.silverbullet === null || config.state.dir === null ? [] : [config.state.dir];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
