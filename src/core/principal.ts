/** Who is calling, once authentication and rights are settled. Nothing behind the gates looks at credentials again. */

import type { Rights } from "./rights.ts";

export type Profile = "standard" | "full" | "read" | "chatgpt" | "files";

export interface Principal {
  /** Stable, opaque, without secrets: `token:laptop`, `grant:…`, `jwt:…`, `local`. Keys budgets, history and limits. */
  readonly id: string;
  readonly kind: "token" | "oauth" | "jwt" | "none" | "stdio";
  /** As the owner knows it: the token's or client's name. */
  readonly name: string;
  readonly rights: Rights;
  readonly profile: Profile;
  /** The identifier of the client that it is, where it signed in. */
  readonly clientId?: string;
  /** The operator's rule for clients that fits it, by its name. */
  readonly rule?: string;
  /** It signed in for reading alone, and may come back for changing pages: then it is told how. */
  readonly mayAskForWrite?: boolean;
}
