/**
 * Which redirect addresses a client may have, and whether a request names one of them (OAuth 2.1 §2.3.1, RFC 8252 §7.3).
 *
 * Addresses are compared character by character, but for one thing: a program on the owner's own computer listens on
 * whatever port is free, so for `http` on a loopback name the port does not count. Names are not interchangeable:
 * `localhost` and `127.0.0.1` must each be registered.
 */

/** Registered for Cursor's desktop program; every other scheme of a program's own is refused. */
const ownSchemes: readonly string[] = ["cursor://anysphere.cursor-mcp/oauth/callback"];
const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const maxLength = 2048;

export type RedirectPlace =
  /** A program on the computer whose browser this is. */
  | { readonly kind: "loopback"; readonly host: string }
  | { readonly kind: "site"; readonly host: string }
  /** A program by a scheme of its own. */
  | { readonly kind: "program"; readonly host: string };

/** True for an address that a client may register: https, http on loopback, or a scheme that is known here. */
export function isAcceptableRedirect(text: string): boolean {
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text) || /[\\"<>^`{|}#]/.test(text)) return false;
  if (ownSchemes.includes(text)) return true;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(text)) {
    return false;
  }
  if (!text.startsWith("https://") && !text.startsWith("http://")) return false;
  if (hasDotSegment(text)) return false;
  if (url.protocol === "http:") return loopbackNames.includes(url.hostname) && hostAsWritten(text, url);
  return isNamedHost(url.hostname) && hostAsWritten(text, url);
}

/** True when `wanted` is one of the `registered` addresses. `wanted` must be acceptable by itself, too. */
export function isRegisteredRedirect(wanted: string, registered: readonly string[]): boolean {
  if (registered.includes(wanted)) return true;
  const loopback = loopbackForm(wanted);
  return loopback !== null && isAcceptableRedirect(wanted) &&
    registered.some((each) => loopbackForm(each) === loopback);
}

/** Where an address leads, for the person who decides. `address` must be acceptable or configured by the operator. */
export function redirectPlace(address: string): RedirectPlace {
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { kind: "program", host: url.protocol };
  return { kind: loopbackNames.includes(url.hostname) ? "loopback" : "site", host: url.host };
}

/** Name and path of a loopback address, the port left out; `null` for every other one. */
function loopbackForm(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || !loopbackNames.includes(url.hostname)) return null;
  return url.search === "" && url.hash === "" ? `${url.hostname}${url.pathname}` : null;
}

/** A plain name: no address of the network, which says nothing to a person. */
function isNamedHost(hostname: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname) && !/^[\d.]+$/.test(hostname) &&
    !hostname.endsWith(".localhost");
}

/** `URL` accepts many spellings of a host; only the one that it would write itself is taken. */
function hostAsWritten(text: string, url: URL): boolean {
  const host = /^https?:\/\/([^/?]*)/.exec(text)?.[1] ?? "";
  return host === url.host || host === `${url.hostname}:${url.port === "" ? defaultPort(url) : url.port}`;
}

function defaultPort(url: URL): string {
  return url.protocol === "https:" ? "443" : "80";
}

/** `/../` and its encoded spellings, which one side resolves and the other does not. */
function hasDotSegment(text: string): boolean {
  const path = /^https?:\/\/[^/?]*([^?]*)/.exec(text)?.[1] ?? "";
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
