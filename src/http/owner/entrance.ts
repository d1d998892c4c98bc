/** The way in to the owner's page and out again: the secret is asked for, and a session is begun or ended. */

import type { Clock } from "../../core/clock.ts";
import { isFormKey, isTicket, makeTicket, newFormKey } from "../../oauth/form_ticket.ts";
import type { DoorCall, DoorProblem, Entered, OwnerDoor } from "../../oauth/owner_door.ts";
import { sessionSeconds } from "../../oauth/owner_sessions.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import type { UsedFields } from "../../oauth/passkey_response.ts";
import type { Exchange } from "../../web/exchange.ts";
import { htmlResponse, scriptPolicy, seeOther } from "../../web/respond.ts";
import type { CallerAddress } from "../caller_address.ts";
import type { CookieJar } from "../cookies.ts";
import { renderDoor } from "../pages/owner/door_page.ts";
import type { SecretProblem } from "../pages/secret_field.ts";

export interface EntranceOptions {
  readonly door: OwnerDoor;
  readonly cookies: CookieJar;
  readonly callerAddress: CallerAddress;
  readonly clock: Clock;
}

const sessionCookie = { seconds: sessionSeconds, isStrict: true };
const formKeySeconds = 3600;
const browserPassSeconds = 400 * 86_400;

export class Entrance {
  readonly #options: EntranceOptions;

  constructor(options: EntranceOptions) {
    this.#options = options;
  }

  callOf(exchange: Exchange): DoorCall {
    const { cookies, callerAddress } = this.#options;
    return {
      address: callerAddress(exchange),
      browserPass: cookies.read(exchange, "browser"),
      requestId: exchange.id,
    };
  }

  /** The cookie of a session that is open now; `null` for everybody else. */
  sessionOf(exchange: Exchange): string | null {
    const { cookies, door } = this.#options;
    const cookie = cookies.read(exchange, "owner");
    return door.find(cookie) === null ? null : cookie;
  }

  /** The page that asks for the secret. */
  ask(exchange: Exchange, problem: SecretProblem | null = null): Response {
    const { cookies, clock, door } = this.#options;
    const now = clock.now();
    const known = cookies.read(exchange, "form");
    const key = isFormKey(known) ? known : newFormKey();
    const seconds = problem === null ? door.wait(this.callOf(exchange)) : 0;
    const shown = seconds > 0 ? { kind: "locked" as const, seconds } : problem;
    const passkey = door.passkeys?.some() === true
      ? { host: door.passkeys.place.host, challenge: door.passkeys.challenge({ key, purpose: "enter" }) }
      : null;
    const html = renderDoor({
      action: exchange.path,
      ticket: makeTicket({ key, subject: exchange.path, now }),
      problem: shown,
      fromElsewhere: exchange.method === "GET" && comesFromElsewhere(exchange),
      passkey,
      now,
    });
    const retry = shown?.kind === "locked" ? { "retry-after": String(shown.seconds) } : {};
    const response = htmlResponse(statusOf(shown), html, {
      ...retry,
      ...(passkey === null ? {} : scriptPolicy),
    });
    if (key !== known) response.headers.append("set-cookie", cookies.write("form", key, formKeySeconds));
    return response;
  }

  /** Somebody sent the form of that page, or any other form without being in. */
  async enter(exchange: Exchange, fields: Parameters): Promise<Response> {
    const { cookies } = this.#options;
    const key = cookies.read(exchange, "form");
    const outcome = isFormKey(key) ? await this.#tried(exchange, fields, key) : null;
    if (outcome === null) return this.ask(exchange, { kind: "expired" });
    if (outcome.kind !== "in") return this.ask(exchange, outcome);
    const { session, browserPass } = outcome;
    const response = seeOther(exchange.path);
    response.headers.append("set-cookie", cookies.write("owner", session, sessionCookie));
    if (browserPass !== null) {
      response.headers.append("set-cookie", cookies.write("browser", browserPass, browserPassSeconds));
    }
    return response;
  }

  /** `null`: neither the form of the secret nor that of a passkey, or not of this browser. */
  #tried(exchange: Exchange, fields: Parameters, key: string): Promise<Entered | DoorProblem> | null {
    const { clock, door } = this.#options;
    const call = this.callOf(exchange);
    const wanted = fields.one("do");
    if (wanted === "passkey") {
      const asked = { key, purpose: "enter", challenge: fields.text("challenge") } as const;
      return door.enterByPasskey(call, usedFields(fields), asked);
    }
    const isOurs = wanted === "sign-in" &&
      isTicket(fields.one("ticket") ?? "", { key, subject: exchange.path, now: clock.now() });
    return isOurs
      ? door.enter(call, { secret: fields.text("secret"), unlockCode: fields.text("unlock") })
      : null;
  }

  leave(exchange: Exchange, session: string): Response {
    const { cookies, door } = this.#options;
    door.leave(this.callOf(exchange), session);
    const response = seeOther("/owner");
    response.headers.append("set-cookie", cookies.write("owner", "", { ...sessionCookie, seconds: 0 }));
    return response;
  }
}

function usedFields(fields: Parameters): UsedFields {
  return {
    id: fields.text("id"),
    clientData: fields.text("client"),
    authenticatorData: fields.text("authenticator"),
    signature: fields.text("signature"),
  };
}

/** Browsers keep the cookie of the session to themselves then, whether there is one or not. */
function comesFromElsewhere(exchange: Exchange): boolean {
  const site = exchange.header("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function statusOf(problem: SecretProblem | null): number {
  switch (problem?.kind) {
    case undefined:
      return 200;
    case "wrong":
    case "passkey":
      return 401;
    case "locked":
      return 429;
    case "busy":
    case "unwritable":
      return 503;
    case "expired":
    case "globs":
      return 400;
  }
}
