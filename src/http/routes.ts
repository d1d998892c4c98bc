/** Every route of the program on one page: who may come, with what, and which part of it answers. */

import { type FileRoute, fileRoutes } from "./files_api/tools.ts";

/** The parts that answer. A route exists where a handler for its part was given: signing in has none without OAuth. */
export type RouteName =
  | "mcp"
  | "healthz"
  | "readyz"
  | "health"
  | "landing"
  | "style"
  | "metrics"
  | "server-metadata"
  | "resource-metadata"
  | "authorize"
  | "token"
  | "register"
  | "revoke"
  | "owner"
  | "owner-script"
  | FileRoute
  | "call";

export interface Route {
  /** Exactly as sent: no decoding, no normalising, no trailing slash. */
  readonly path: string;
  readonly name: RouteName;
  readonly methods: readonly string[];
  /**
   * `bearer`: the caller must be known. `open`: everybody, though a known caller may see more. `operator`: known, or on
   * this machine where the server is not a public one.
   */
  readonly access: "bearer" | "open" | "operator";
  /** For callers on this machine alone, and on no public server; they must be let in besides. */
  readonly local?: true;
  /** Probes of the operator's tools answer whatever name or address they come by, and are never counted. */
  readonly exempt: boolean;
  /**
   * Which web pages may aim requests here: those that the operator allowed, the assistants' besides, or any at all.
   * `any` is for what needs no credentials of a browser; its answers may be read by every page (CORS).
   */
  readonly origins: "all" | "mcp" | "any";
  /** True where a request body is read. */
  readonly body: boolean;
  /** Bytes that a body may have where that is less than everywhere. */
  readonly maxBodyBytes?: number;
}

const open = { access: "open", exempt: false, origins: "all", body: false } as const;
const kibibyte = 1024;
const discovery = { ...open, methods: ["GET", "HEAD", "OPTIONS"], origins: "any" } as const;
const program = { ...open, methods: ["POST", "OPTIONS"], origins: "any", body: true } as const;
const page = { ...open, methods: ["GET", "HEAD"] } as const;
const probe = { ...page, exempt: true } as const;

export const routes: readonly Route[] = [
  {
    path: "/mcp",
    name: "mcp",
    methods: ["POST"],
    access: "bearer",
    exempt: false,
    origins: "mcp",
    body: true,
  },
  ...fileRoutes.map((name): Route => ({
    ...{ path: `/${name}`, name, ...open },
    ...{ methods: ["GET"], access: "bearer" },
  })),
  {
    ...{ path: "/call", name: "call", ...open },
    ...{ methods: ["POST"], access: "bearer", local: true, body: true },
  },
  { path: "/healthz", name: "healthz", ...probe },
  { path: "/readyz", name: "readyz", ...probe },
  { path: "/health", name: "health", ...page },
  { path: "/", name: "landing", ...page },
  { path: "/style.css", name: "style", ...page },
  { path: "/metrics", name: "metrics", ...page, access: "operator" },
  { path: "/.well-known/oauth-protected-resource", name: "resource-metadata", ...discovery },
  { path: "/.well-known/oauth-protected-resource/mcp", name: "resource-metadata", ...discovery },
  { path: "/.well-known/oauth-authorization-server", name: "server-metadata", ...discovery },
  {
    ...{ path: "/authorize", name: "authorize", ...open, methods: ["GET", "POST"] },
    ...{ body: true, maxBodyBytes: 64 * kibibyte },
  },
  { path: "/token", name: "token", ...program, maxBodyBytes: 32 * kibibyte },
  { path: "/register", name: "register", ...program, maxBodyBytes: 32 * kibibyte },
  { path: "/revoke", name: "revoke", ...program, maxBodyBytes: 32 * kibibyte },
  { path: "/owner/passkeys.js", name: "owner-script", ...page },
  ...["/owner", "/owner/changes", "/owner/trash", "/owner/state"].map((path): Route => ({
    ...{ path, name: "owner", ...open, methods: ["GET", "HEAD", "POST"] },
    ...{ body: true, maxBodyBytes: 64 * kibibyte },
  })),
];

const byPath: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.path, route]));

export function findRoute(path: string): Route | null {
  return byPath.get(path) ?? null;
}
