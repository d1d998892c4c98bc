/** Every route of the program on one page: who may come, with what, and which part of it answers. */

/** The parts that answer; `app.ts` gives one handler for each. */
export type RouteName = "mcp" | "healthz" | "readyz" | "health" | "landing" | "style";

export interface Route {
  /** Exactly as sent: no decoding, no normalising, no trailing slash. */
  readonly path: string;
  readonly name: RouteName;
  readonly methods: readonly string[];
  /** `bearer`: the caller must be known. `open`: everybody, though a known caller may see more. */
  readonly access: "bearer" | "open";
  /** Probes of the operator's tools answer whatever name or address they come by, and are never counted. */
  readonly exempt: boolean;
  /** Which web pages may aim requests here. */
  readonly origins: "all" | "mcp";
  /** True where a request body is read. */
  readonly body: boolean;
}

const open = { access: "open", exempt: false, origins: "all", body: false } as const;
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
  { path: "/healthz", name: "healthz", ...probe },
  { path: "/readyz", name: "readyz", ...probe },
  { path: "/health", name: "health", ...page },
  { path: "/", name: "landing", ...page },
  { path: "/style.css", name: "style", ...page },
];

const byPath: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.path, route]));

export function findRoute(path: string): Route | null {
  return byPath.get(path) ?? null;
}
