/**
 * Takes variables out of the environment that would change how the server worker talks to the network.
 *
 * Deno honours proxy variables in a restricted worker without checking the proxy's address against its
 * permissions, and `NODE_*` can switch off certificate checks. Must run before the first request of the process.
 */

const proxyName = /^(?:https?|all|no|ftp|wss?|socks\d?|grpc)_proxy$/i;
const otherName = /^(?:NODE_.*|DENO_SERVE_ADDRESS)$/i;

export interface Environment {
  toObject(): Record<string, string>;
  delete(name: string): void;
}

/** Answers the names of proxies that were set, so that the log can say that they do not count. */
export function removeNetworkVariables(env: Environment = Deno.env): readonly string[] {
  const names = Object.keys(env.toObject());
  const proxies = names.filter((name) => proxyName.test(name));
  for (const name of names) if (proxyName.test(name) || otherName.test(name)) env.delete(name);
  return proxies.filter((name) => !/^no_proxy$/i.test(name)).toSorted();
}

/** Where this user's configuration files are (XDG Base Directory); `null` where the environment names no place. */
export function configurationHome(env: { get(name: string): string | undefined } = Deno.env): string | null {
  const named = env.get("XDG_CONFIG_HOME") ?? "";
  if (named.startsWith("/")) return named;
  const home = env.get("HOME") ?? "";
  return home.startsWith("/") ? `${home}/.config` : null;
}
