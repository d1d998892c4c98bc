/** Kinds of settings that name places on the network. Names are kept as the URL parser writes them. */

import { isIP, isIPv4, isIPv6 } from "node:net";
import { type Kind, type Parsed, refine } from "./kind.ts";
import { list, text } from "./kinds.ts";

/** An http or https address that may carry a path; without a trailing slash, user, query or fragment. */
export function url(): Kind<string> {
  return refine(text("http or https address"), { check: (value) => readUrl(value), show: (value) => value });
}

/** An origin: scheme, host, port and nothing else. Whether http is acceptable is a cross rule. */
export function origin(): Kind<string> {
  return refine(text("origin, such as `https://notes.example.com`"), {
    check: readOrigin,
    show: (value) => value,
  });
}

/** A name or address to listen on. */
export function host(): Kind<string> {
  const wanted = "an IP address or host name to listen on, such as 127.0.0.1 or 0.0.0.0";
  return refine(text("IP address or host name"), {
    check(value) {
      const bare = value.replace(/^\[(.*)\]$/, "$1");
      return isAddress(bare) || isHostName(bare) ? { value: bare.toLowerCase() } : { wanted };
    },
    show: (value) => value,
  });
}

/** Host names that requests may carry; a port or `:*` behind them is dropped, as ports are not compared. */
export function hosts(): Kind<readonly string[]> {
  return refine(list("host names, separated by commas"), {
    check: (values) => each(values, readHostEntry),
    show: (value) => value.join(", "),
  });
}

export function origins(): Kind<readonly string[]> {
  return refine(list("origins, separated by commas"), {
    check: (values) => each(values, readOrigin),
    show: (value) => value.join(", "),
  });
}

/** IP addresses and ranges (`10.0.0.0/8`). */
export function addresses(): Kind<readonly string[]> {
  return refine(list("IP addresses or ranges, separated by commas"), {
    check: (values) => each(values, readRange),
    show: (value) => value.join(", "),
  });
}

/** Where a client may be sent back to: https, http on loopback, or a program's own scheme. */
export function redirects(): Kind<readonly string[]> {
  return refine(list("addresses, separated by commas"), {
    check: (values) => each(values, readRedirect),
    show: (value) => value.join(", "),
  });
}

/** The name of a request header, in lower case. */
export function headerName(): Kind<string> {
  return refine(text("header name"), {
    check: (value) =>
      /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(value)
        ? { value: value.toLowerCase() }
        : { wanted: "the name of a request header, such as authorization" },
    show: (value) => value,
  });
}

/** True for addresses and names that stay on this machine. Takes a bare address, or a host of a URL. */
export function isLoopbackHost(name: string): boolean {
  const bare = name.toLowerCase().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  if (isIPv4(bare)) return bare.startsWith("127.");
  return isIPv6(bare) &&
    /^\[(::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/.test(new URL(`http://[${bare}]`).hostname);
}

/** True for addresses that mean every interface. */
export function isWildcardHost(name: string): boolean {
  return ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"].includes(name);
}

/** A host as it stands in a URL: IPv6 in brackets. */
export function urlHost(name: string): string {
  return isIPv6(name) ? new URL(`http://[${name}]`).hostname : name;
}

function readUrl(value: string): Parsed<string> {
  const wanted =
    "an address such as http://127.0.0.1:3000 or https://notes.example.com, without user name, query or fragment";
  const parsed = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return { wanted };
  if (value.includes("?") || value.includes("#")) return { wanted };
  if (/\/\.fs\/?$/.test(parsed.pathname)) {
    return { wanted: "the address that people open, without /.fs at its end" };
  }
  return { value: parsed.origin + parsed.pathname.replace(/\/+$/, "") };
}

function readOrigin(value: string): Parsed<string> {
  const read = readUrl(value);
  if ("wanted" in read) return { wanted: "an origin such as https://notes.example.com" };
  const hasPath = new URL(read.value).pathname !== "/";
  return hasPath ? { wanted: "an origin such as https://notes.example.com, without a path" } : read;
}

function readHostEntry(value: string): Parsed<string> {
  const wanted = "host names such as notes.example.com, without scheme, path or wildcard";
  const name = isIPv6(value) ? value : value.replace(/:(\*|\d{1,5})$/, "");
  const bare = name.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (!isAddress(bare) && !isHostName(bare)) return { wanted };
  const parsed = URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : bare}/`);
  return parsed === null ? { wanted } : { value: parsed.hostname };
}

function readRange(value: string): Parsed<string> {
  const [address = "", bits, ...rest] = value.split("/");
  const family = isAddress(address) ? isIP(address) : 0;
  const size = bits === undefined ? 0 : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  const fits = family !== 0 && rest.length === 0 && size >= 0 && size <= (family === 4 ? 32 : 128);
  return fits ? { value: value.toLowerCase() } : { wanted: "IP addresses such as 10.0.0.2 or 10.0.0.0/8" };
}

function readRedirect(value: string): Parsed<string> {
  const wanted =
    "redirect addresses: https, http on this machine, or a program's own scheme; without a fragment";
  const parsed = URL.parse(value);
  if (parsed === null || value.includes("#") || parsed.username !== "" || /\s/.test(value)) return { wanted };
  const forbidden = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "ws:", "wss:", "ftp:"];
  if (forbidden.includes(parsed.protocol)) return { wanted };
  return parsed.protocol === "http:" && !isLoopbackHost(parsed.hostname) ? { wanted } : { value };
}

/** IPv6 zones (`fe80::1%eth0`) have no form in a URL or in a permission, so they do not count. */
function isAddress(name: string): boolean {
  return isIP(name) !== 0 && !name.includes("%");
}

function isHostName(name: string): boolean {
  const shape =
    /^(?=.{1,253}$)[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?(\.[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*$/u;
  return shape.test(name) && !/^[\d.]+$/.test(name) && URL.canParse(`http://${name}/`);
}

function each<T>(values: readonly string[], read: (value: string) => Parsed<T>): Parsed<readonly T[]> {
  const result: T[] = [];
  for (const value of values) {
    const parsed = read(value);
    if ("wanted" in parsed) return parsed;
    result.push(parsed.value);
  }
  return { value: [...new Set(result)] };
}
