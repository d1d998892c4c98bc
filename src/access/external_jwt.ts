/**
 * JSON Web Tokens of the operator's identity provider (RFC 7519, RFC 8725): signature by its published keys, algorithms
 * of the operator's list alone, issuer, audience and times with a leeway. Why one is refused is logged and never told.
 */

import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Admit } from "./ceiling.ts";
import { type ClaimRule, rightsByClaims } from "./claim_rules.ts";
import type { Verifier } from "./verifier.ts";

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly leewaySeconds: number;
  readonly claims: readonly ClaimRule[];
}

export interface ExternalJwtOptions {
  readonly settings: JwtSettings;
  readonly keys: { readonly keyFor: JWTVerifyGetKey; readonly version: number };
  readonly admit: Admit;
  readonly clock: Clock;
  readonly logger: Logger;
}

const maxLength = 16 * 1024;
/** A token that was good is good for so long without its signature being looked at again. */
const keptMs = 60_000;
const maxKept = 1000;
const refusalsAMinute = 10;

interface Kept {
  readonly principal: Principal;
  /** On the monotonic clock. */
  readonly until: number;
  /** The token's own end, on the wall clock. */
  readonly expires: number;
  readonly version: number;
}

export function createExternalJwt(options: ExternalJwtOptions): Verifier {
  const { settings, keys, admit, clock } = options;
  const kept = new Map<string, Kept>();
  const sayRefusal = createRefusalLog(options);

  async function judge(
    token: string,
  ): Promise<{ readonly claims: JWTPayload; readonly expires: number } | string> {
    const now = clock.now();
    try {
      const { payload: claims } = await jwtVerify(token, keys.keyFor, {
        issuer: settings.issuer,
        audience: [...settings.audience],
        algorithms: [...settings.algorithms],
        clockTolerance: settings.leewaySeconds,
        currentDate: new Date(now),
        requiredClaims: ["exp", "iat"],
      });
      const { iat = 0, exp = 0 } = claims;
      if (iat > now / 1000 + settings.leewaySeconds) return "issued_in_the_future";
      return { claims, expires: (exp + settings.leewaySeconds) * 1000 };
    } catch (error) {
      return error instanceof errors.JOSEError ? reasonOf(error) : "no_keys";
    }
  }

  return {
    async verify(token) {
      if (token.length > maxLength || token.split(".").length !== 3) return null;
      const hash = sha256Hex(token);
      const known = kept.get(hash);
      const isKept = known !== undefined && clock.elapsed() < known.until && clock.now() < known.expires;
      if (isKept && known.version === keys.version) {
        return known.principal;
      }
      kept.delete(hash);
      const judged = await judge(token);
      const who = typeof judged === "string" ? null : subjectOf(judged.claims);
      if (typeof judged === "string" || who === null) {
        sayRefusal(typeof judged === "string" ? judged : "no_subject");
        return null;
      }
      const { rights, roots } = rightsByClaims(judged.claims, settings.claims);
      const principal = admit({ ...who, kind: "jwt", rights, roots, profile: null });
      if (kept.size >= maxKept) kept.clear();
      const until = clock.elapsed() + keptMs;
      kept.set(hash, { principal, until, expires: judged.expires, version: keys.version });
      return principal;
    },
  };
}

/** Who a token speaks for. Service tokens of Cloudflare Access have an empty subject and a common name. */
function subjectOf(claims: JWTPayload): { readonly id: string; readonly name: string } | null {
  const [subject, common, email] = [claims.sub, claims["common_name"], claims["email"]].map(textOf);
  const key = subject ?? (common === undefined || common === null ? null : `service ${common}`);
  if (key === undefined || key === null) return null;
  const id = /^[\w.@:+|-]{1,80}$/.test(key) ? key : sha256Hex(key).slice(0, 32);
  return { id: `jwt:${id}`, name: (email ?? common ?? key).replace(/\p{C}/gu, "").slice(0, 80) };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** jose's own short code, such as `ERR_JWT_EXPIRED`, with the claim where one was wrong. Holds nothing of the token. */
function reasonOf(error: errors.JOSEError): string {
  return error instanceof errors.JWTClaimValidationFailed ? `${error.code} ${error.claim}` : error.code;
}

/** A few lines a minute: strangers can make up any number of tokens. */
function createRefusalLog({ clock, logger }: ExternalJwtOptions): (reason: string) => void {
  let since = -Infinity;
  let count = 0;
  return (reason) => {
    const now = clock.elapsed();
    if (now - since >= 60_000) [since, count] = [now, 0];
    count += 1;
    if (count <= refusalsAMinute) logger.log("info", "jwt_refused", { reason });
  };
}
