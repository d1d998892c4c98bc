/** The scopes `read`, `write` and `offline_access`: what a client asks for, and what it is told that it got. */

export interface Scope {
  /** Changing pages, which includes reading them. */
  readonly write: boolean;
  /** A refresh token was asked for by name. */
  readonly offline: boolean;
}

export const resourceScopes = ["read", "write"] as const;
/** What the authorization server lists besides; never part of a challenge (OpenID Connect Core §11). */
export const serverScopes = [...resourceScopes, "offline_access"] as const;

/** Unknown scopes are left out. Nothing known asked for, or no scope at all, means reading and writing. */
export function requestedScope(scope: string | null): Scope {
  const words = new Set((scope ?? "").split(" "));
  const named = words.has("read") || words.has("write");
  return { write: named ? words.has("write") : true, offline: words.has("offline_access") };
}

/** As it stands in a token response. */
export function scopeText(scope: Scope): string {
  return ["read", ...(scope.write ? ["write"] : []), ...(scope.offline ? ["offline_access"] : [])].join(" ");
}
