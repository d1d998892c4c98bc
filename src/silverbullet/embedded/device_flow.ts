/**
 * The device flow of servers from 2.11 on (RFC 8628, as SilverBullet has it): a program asks for a code, a person who is
 * signed in confirms it, and the program gets a token of that person's account.
 */

import type { Clock } from "../../core/clock.ts";
import { randomId } from "../../core/ids.ts";
import { bareReply, htmlReply, jsonReply, type Reply } from "./reply.ts";

interface Attempt {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly deviceName: string;
  readonly ends: number;
  standing: "pending" | "approved" | "denied";
  asked: number;
}

export interface DeviceFlowOptions {
  readonly clock: Clock;
  /** Base address with the prefix, without a trailing slash; known once the server listens. */
  readonly base: () => string;
  /** Seconds between two questions. */
  readonly interval: number;
  readonly username: string;
}

const client = "silverbullet-cli";
const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const lifeSeconds = 300;
const mostAttempts = 256;
const mostNameBytes = 200;
const yearSeconds = 365 * 86_400;

export class DeviceFlow {
  readonly #options: DeviceFlowOptions;
  readonly #attempts = new Map<string, Attempt>();
  readonly #tokens = new Set<string>();
  readonly #refreshTokens = new Set<string>();

  constructor(options: DeviceFlowOptions) {
    this.#options = options;
  }

  /** Codes that wait for a person, with the names that the programs gave themselves. */
  get waiting(): readonly { readonly userCode: string; readonly deviceName: string }[] {
    return [...this.#attempts.values()].filter(({ standing }) => standing === "pending");
  }

  /** What the person does on the page. */
  settle(userCode: string, standing: "approved" | "denied"): void {
    for (const attempt of this.#attempts.values()) {
      if (attempt.userCode === userCode) attempt.standing = standing;
    }
  }

  /** Tokens that were given out, the newest last. */
  get issued(): readonly string[] {
    return [...this.#tokens];
  }

  /** What the person does with all that was given out. */
  forget(): void {
    this.#tokens.clear();
    this.#refreshTokens.clear();
  }

  accepts(token: string): boolean {
    return this.#tokens.has(token);
  }

  /** `null`: none of its routes. */
  reply(method: string, path: string, body: Uint8Array<ArrayBuffer>): Reply | null {
    if (path === "/.auth/device" && method === "GET") {
      return htmlReply(200, "<!DOCTYPE html><h1>Confirm a device</h1>");
    }
    if (method !== "POST") return null;
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (path === "/.auth/device/code") return this.#begin(form);
    return path === "/.auth/token" ? this.#redeem(form) : null;
  }

  #begin(form: URLSearchParams): Reply {
    if (form.get("client_id") !== client) return refusal("unauthorized_client");
    const deviceName = form.get("device_name") ?? "";
    if (deviceName === "" || new TextEncoder().encode(deviceName).length > mostNameBytes) {
      return refusal("invalid_request");
    }
    if (this.#attempts.size >= mostAttempts) return bareReply(429, "");
    const letters = randomId(8).toUpperCase();
    const attempt: Attempt = {
      ...{ deviceCode: randomId(40), userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`, deviceName },
      ...{ ends: this.#options.clock.now() + lifeSeconds * 1000, standing: "pending", asked: 0 },
    };
    this.#attempts.set(attempt.deviceCode, attempt);
    const page = `${this.#options.base()}/.auth/device`;
    return jsonReply(200, {
      ...{ device_code: attempt.deviceCode, user_code: attempt.userCode, verification_uri: page },
      verification_uri_complete: `${page}?user_code=${attempt.userCode}`,
      ...{ expires_in: lifeSeconds, interval: this.#options.interval },
    });
  }

  #redeem(form: URLSearchParams): Reply {
    if (form.get("client_id") !== client) return refusal("unauthorized_client");
    if (form.get("grant_type") === "refresh_token") return this.#renew(form.get("refresh_token") ?? "");
    if (form.get("grant_type") !== grantType) return refusal("unsupported_grant_type");
    const attempt = this.#attempts.get(form.get("device_code") ?? "");
    if (attempt === undefined) return refusal("invalid_grant");
    const now = this.#options.clock.now();
    if (now >= attempt.ends) return refusal("expired_token");
    const isHasty = now - attempt.asked < this.#options.interval * 1000;
    attempt.asked = now;
    switch (attempt.standing) {
      case "pending":
        return refusal(isHasty ? "slow_down" : "authorization_pending");
      case "denied":
        return refusal("access_denied");
      case "approved":
        this.#attempts.delete(attempt.deviceCode);
        return this.#issue(now);
    }
  }

  /** Old ones stay good, as at the real one. */
  #renew(refreshToken: string): Reply {
    return this.#refreshTokens.has(refreshToken)
      ? this.#issue(this.#options.clock.now())
      : refusal("invalid_grant");
  }

  #issue(now: number): Reply {
    const { username } = this.#options;
    const refreshToken = randomId(43);
    const claims = { sub: username, exp: Math.floor(now / 1000) + yearSeconds };
    const token = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}.${randomId(43)}`;
    this.#tokens.add(token);
    this.#refreshTokens.add(refreshToken);
    return jsonReply(200, {
      ...{
        access_token: token,
        token_type: "Bearer",
        expires_in: yearSeconds,
        refresh_token: refreshToken,
        username,
      },
    }, { "Cache-Control": "no-store" });
  }
}

function part(value: unknown): string {
  return new TextEncoder().encode(JSON.stringify(value)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

function refusal(error: string): Reply {
  return jsonReply(400, { error });
}
