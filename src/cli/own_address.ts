/** Where this machine reaches the server that it runs itself. */

/** A wildcard address is no address to connect to; IPv6 goes in brackets. */
export function ownAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const bare = host.replace(/^\[|\]$/g, "");
  if (bare === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (bare === "::") return `http://[::1]:${port}`;
  return `http://${bare.includes(":") ? `[${bare}]` : bare}:${port}`;
}
