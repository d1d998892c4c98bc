/**
 * Getting a token of one's own account from SilverBullet by the device flow (RFC 8628), where the server has it (2.11 and
 * later): the person confirms a code on a page of the server, and no password or token is typed anywhere.
 *
 * SilverBullet lets no client register, so this presents itself as its own command line does. What the server says is
 * checked before anybody sees it: a link that leads elsewhere is not shown.
 */

import type { Clock } from "../core/clock.ts";
import { parseAddresses } from "./addresses.ts";

export interface DeviceFlowOptions {
  /** Base address of SilverBullet; may carry a path prefix. */
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

export interface DeviceCode {
  /** What the person compares, such as `ABCD-EFGH`. */
  readonly userCode: string;
  /** The page to open; of the same origin as the server, below its prefix. */
  readonly page: string;
  readonly deviceCode: string;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
}

export type DeviceFault = "unsupported" | "unreachable" | "busy" | "dishonest";
/** A token of an account, and what renews it. */
export interface DeviceToken {
  readonly kind: "token";
  readonly token: string;
  readonly username: string | null;
  /** `null` where the server gives none. */
  readonly refreshToken: string | null;
  readonly lifeSeconds: number;
}

export type DeviceOutcome =
  | DeviceToken
  | { readonly kind: "failed"; readonly reason: "denied" | "expired" | "dishonest" | "unreachable" };

const client = "silverbullet-cli";
const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const timeoutMs = 10_000;
const mostBytes = 65_536;
const mostLifeSeconds = 900;
const mostIntervalSeconds = 60;
const mostTokenSeconds = 10 * 365 * 86_400;
const slowDownSeconds = 5;
/** Questions that may go unanswered one after the other. */
const mostSilences = 5;

/** True where the server has the flow; nothing is begun there. False for http beyond loopback, where no token may travel. */
export async function hasDeviceFlow(options: DeviceFlowOptions): Promise<boolean> {
  if (!isPrivate(options.url)) return false;
  const answer = await post(options, "/.auth/device/code", { client_id: "" });
  const error = member(answer?.json, "error");
  return answer?.status === 400 && (error === "unauthorized_client" || error === "invalid_request");
}

/** `name`: what the person sees on the page, at most 200 bytes. */
export async function beginDeviceFlow(
  options: DeviceFlowOptions,
  name: string,
): Promise<DeviceCode | DeviceFault> {
  if (!isPrivate(options.url)) return "unsupported";
  const answer = await post(options, "/.auth/device/code", { client_id: client, device_name: name });
  if (answer === null) return "unreachable";
  if (answer.status === 429) return "busy";
  if (answer.status !== 200) return "unsupported";
  const { json } = answer;
  const deviceCode = member(json, "device_code");
  const userCode = member(json, "user_code");
  const page = honestPage(options.url, member(json, "verification_uri_complete"));
  if (!isOpaque(deviceCode) || typeof userCode !== "string" || page === null) return "dishonest";
  if (!/^[A-Z0-9]{4}-[A-Z0-9]{4}$/.test(userCode)) return "dishonest";
  return {
    ...{ deviceCode, userCode, page },
    intervalSeconds: within(member(json, "interval"), { from: 1, to: mostIntervalSeconds, otherwise: 5 }),
    lifeSeconds: within(member(json, "expires_in"), { from: 1, to: mostLifeSeconds, otherwise: 300 }),
  };
}

/** Asks until the person has decided or the code has run out. */
export async function awaitDeviceToken(options: DeviceFlowOptions, code: DeviceCode): Promise<DeviceOutcome> {
  const { clock } = options;
  const until = clock.elapsed() + code.lifeSeconds * 1000;
  let interval = code.intervalSeconds;
  let silences = 0;
  while (clock.elapsed() < until) {
    await clock.sleep(interval * 1000);
    const answer = await post(options, "/.auth/token", {
      ...{ grant_type: grantType, device_code: code.deviceCode, client_id: client },
    });
    if (answer === null || answer.status >= 500) {
      if (++silences >= mostSilences) return { kind: "failed", reason: "unreachable" };
      continue;
    }
    silences = 0;
    if (answer.status === 200) return tokenIn(answer.json);
    const error = member(answer.json, "error");
    if (error === "slow_down") interval = Math.min(mostIntervalSeconds, interval + slowDownSeconds);
    else if (error === "access_denied") return { kind: "failed", reason: "denied" };
    else if (error === "expired_token") return { kind: "failed", reason: "expired" };
    else if (error !== "authorization_pending" && answer.status !== 429) {
      return { kind: "failed", reason: "dishonest" };
    }
  }
  return { kind: "failed", reason: "expired" };
}

/** A new pair for the account of that refresh token. `denied`: it is not good any more. */
export async function renewDeviceToken(
  options: DeviceFlowOptions,
  refreshToken: string,
): Promise<DeviceOutcome> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: client };
  const answer = isPrivate(options.url) ? await post(options, "/.auth/token", form) : null;
  if (answer === null || answer.status >= 500 || answer.status === 429) {
    return { kind: "failed", reason: "unreachable" };
  }
  return answer.status === 200 ? tokenIn(answer.json) : { kind: "failed", reason: "denied" };
}

function tokenIn(json: unknown): DeviceOutcome {
  const token = member(json, "access_token");
  const username = member(json, "username");
  const refreshToken = member(json, "refresh_token");
  if (!isOpaque(token)) return { kind: "failed", reason: "dishonest" };
  return {
    ...{ kind: "token", token },
    username: typeof username === "string" ? username.slice(0, 100) : null,
    refreshToken: isOpaque(refreshToken) ? refreshToken : null,
    lifeSeconds: within(member(json, "expires_in"), { from: 60, to: mostTokenSeconds, otherwise: 3600 }),
  };
}

/** A token or code that can stand in a header: visible ASCII, of a bounded length. */
function isOpaque(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value);
}

/** Over https, or to this very machine. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The page where the code is confirmed, or `null` where the link leads anywhere else. */
function honestPage(url: string, link: unknown): string | null {
  const base = baseOf(url);
  const page = typeof link === "string" ? URL.parse(link) : null;
  if (page === null || page.username !== "" || page.password !== "") return null;
  return `${page.origin}${page.pathname}` === `${base}/.auth/device` ? page.href : null;
}

function baseOf(url: string): string {
  return parseAddresses(url).ping.replace(/\/\.ping$/, "");
}

function within(
  value: unknown,
  { from, to, otherwise }: { from: number; to: number; otherwise: number },
): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(to, Math.max(from, value))
    : otherwise;
}

interface Posted {
  readonly status: number;
  readonly json: unknown;
}

/** `null` where no answer came. Nothing is followed. */
async function post(
  { url, fetch }: DeviceFlowOptions,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Posted | null> {
  try {
    const response = await fetch(`${baseOf(url)}${path}`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(form),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, json: await jsonOf(response) };
  } catch {
    return null;
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
