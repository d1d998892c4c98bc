/** Until when a token that tells it is good: SilverBullet's own account tokens are JWTs (RFC 7519), others tell nothing. */

import type { Report } from "./finding.ts";

const dayMs = 86_400_000;
const soonDays = 30;

/** `null` for a token that tells no end. Milliseconds since 1970. Nothing is verified: only the server can. */
export function expiryOf(token: string): number | null {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return null;
  try {
    const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const exp = typeof claims === "object" && claims !== null ? Reflect.get(claims, "exp") : null;
    return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : null;
  } catch {
    return null;
  }
}

export function checkTokenExpiry(token: string | null, now: number, report: Report): void {
  const check = "token-expiry";
  const end = token === null ? null : expiryOf(token);
  if (end === null) return;
  const days = Math.floor((end - now) / dayMs);
  const mend = "Get a new one with `silverbridge init`, or make an API token in SilverBullet";
  if (end <= now) {
    return report({ check, status: "fail", text: "The token for SilverBullet has expired", mend });
  }
  if (days < soonDays) {
    return report({
      check,
      status: "warn",
      text: `The token for SilverBullet expires in ${days} days`,
      mend,
    });
  }
  report({ check, status: "ok", text: `The token for SilverBullet is good for ${days} days` });
}
