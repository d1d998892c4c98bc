/** `docs/reference/http.md`: every route and every refusal of the gates. */

import { refusalTable } from "../../src/http/refusals.ts";
import { type Route, type RouteName, routes } from "../../src/http/routes.ts";
import { referencePage, table } from "./reference_page.ts";

const purposes: Readonly<Record<RouteName, string>> = {
  mcp: "MCP: JSON-RPC, both protocol eras",
  healthz: '`{"ok":true}` while the server runs',
  readyz:
    '`{"ok":true}` when SilverBullet answers and accepts the token, and changes can be recorded, else 503 `{"ok":false}`',
  health: "the same as an object with `status`, for monitors of personal-mcp-bridge",
  landing: "a page for a person: what this is and how to connect a client",
  style: "the stylesheet of the pages",
  metrics: "counts for monitoring, as Prometheus reads them; for callers who may read every page",
  "resource-metadata": "signing in: what is guarded and by whom (RFC 9728)",
  "server-metadata": "signing in: the authorization server (RFC 8414)",
  authorize: "signing in: the page where the owner decides about a client",
  token: "signing in: tokens for a code or a refresh token (RFC 6749)",
  register: "signing in: a client registers itself (RFC 7591)",
  revoke: "signing in: a client gives its access back (RFC 7009)",
  roots: "the folders that the caller may read: `list_roots`",
  files: "one folder: `list_files` with `root`, `path`",
  read: "a file or a document as text: `read_file` with `root`, `path`, `max_chars`",
  "read-range": "lines of a file: `read_file_range` with `root`, `path`, `start_line`, `line_count`",
  tail: "the end of a file: `tail_file` with `root`, `path`, `last_lines`",
  "file-info": "facts about a file or folder: `get_file_info` with `root`, `path`",
  search: "lines that hold a text: `search_files` with `root`, `q`, `path`, `glob`, `max_chars`",
  call: 'any folder tool, for callers on this machine: `{"tool": name, "args": {…}}`',
  "owner-script": "the script that makes and uses passkeys on the owner's page",
  owner: "the owner's page: clients, changes, trash, state; asks for the owner's secret",
};

export function httpReference(): string {
  return referencePage({
    title: "HTTP",
    sources: ["src/http/routes.ts", "src/http/refusals.ts"],
    intro:
      "Every address that the server answers, and every refusal that a request can meet before it reaches one. " +
      "Paths are compared exactly as sent; any other path is 404.",
  }, [
    "## Routes",
    "",
    ...table(["route", "methods", "who", "answers"], routes.map(routeRow)),
    "",
    "Probes are exempt from the rate limit and from the checks of Host and Origin. `mcp` may also be called by web pages of the " +
    "origins that the configuration allows for it. The addresses for signing in are there with OAuth alone; all of them but " +
    "`/authorize` may be called by web pages of any origin, since they look at no cookie.",
    "",
    "Where no way to sign in is configured, callers on this machine need no token, unless the server is in public mode. The " +
    "addresses of folders are there with `ROOTS` alone. Their queries are taken exactly: every name once, numbers in digits, " +
    "nothing that the tool does not take.",
    "",
    "Every answer carries an `X-Request-Id`. The same id is in every log line about the request, and goes with what is asked of " +
    "SilverBullet for it. It is the proxy's own where that is one of `TRUSTED_PROXIES` and sends 8 to 64 letters, digits, dots, " +
    "underscores or hyphens.",
    "",
    "## Refusals",
    "",
    'The body is `{"error": code, "message": sentence}`; `internal-error` carries an `incident` that the log has too.',
    "",
    ...table(
      ["code", "status", "sentence"],
      refusalTable().map(([code, { status, message }]) => [
        `\`${code}\``,
        String(status),
        message,
      ]),
    ),
  ]);
}

function routeRow(route: Route): string[] {
  const known = route.access === "bearer" ? "bearer token" : "everybody";
  const who = route.local === true ? `${known}, this machine` : known;
  const methods = route.methods.join(", ");
  return [`\`${route.path}\``, methods, route.exempt ? `${who}, exempt` : who, purposes[route.name]];
}
