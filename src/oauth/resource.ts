/** The one resource that tokens are for (RFC 8707), and the ways in which clients write it. */

/** `origin` without a trailing slash. */
export function resourceOf(origin: string): string {
  return `${origin}/mcp`;
}

/** True when every `resource` that was sent means this server; none at all does, too. */
export function meansThisServer(sent: readonly string[], origin: string): boolean {
  return sent.every((text) => {
    const url = URL.parse(text);
    if (url === null || url.username !== "" || url.password !== "") return false;
    if (url.origin !== new URL(origin).origin || text.includes("?") || text.includes("#")) return false;
    return ["", "/mcp"].includes(url.pathname.replace(/\/$/, ""));
  });
}
