/** The way in to the owner's page and out again: the secret is asked for, and a session is begun or ended. */

import type { Clock } from "../../core/clock.ts";
import { isFormKey, isTicket, makeTicket, newFormKey } from "../../oauth/form_ticket.ts";
import type { DoorCall, OwnerDoor } from "../../oauth/owner_door.ts";
import { sessionSeconds } from "../../oauth/owner_sessions.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import type { Exchange } from "../../web/exchange.ts";
import { htmlResponse, seeOther } from "../../web/respond.ts";
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
    const html = renderDoor({
      action: exchange.path,
      ticket: makeTicket({ key, subject: exchange.path, now }),
      problem: shown,
      fromElsewhere: exchange.method === "GET" && comesFromElsewhere(exchange),
      now,
    });
    const retry = shown?.kind === "locked" ? { "retry-after": String(shown.seconds) } : {};
    const response = htmlResponse(statusOf(shown), html, retry);
    if (key !== known) response.headers.append("set-cookie", cookies.write("form", key, formKeySeconds));
    return response;
  }

  /** Somebody sent the form of that page, or any other form without being in. */
  async enter(exchange: Exchange, fields: Parameters): Promise<Response> {
    const { cookies, clock, door } = this.#options;
    const key = cookies.read(exchange, "form");
    const isOurs = fields.one("do") === "sign-in" && isFormKey(key) &&
      isTicket(fields.one("ticket") ?? "", { key, subject: exchange.path, now: clock.now() });
    if (!isOurs) return this.ask(exchange, { kind: "expired" });
    const outcome = await door.enter(this.callOf(exchange), {
      secret: fields.text("secret"),
      unlockCode: fields.text("unlock"),
    });
    if (outcome.kind !== "in") return this.ask(exchange, outcome);
    const { session, browserPass } = outcome;
    const response = seeOther(exchange.path);
    response.headers.append("set-cookie", cookies.write("owner", session, sessionCookie));
    if (browserPass !== null) {
      response.headers.append("set-cookie", cookies.write("browser", browserPass, browserPassSeconds));
    }
    return response;
  }

  leave(exchange: Exchange, session: string): Response {
    const { cookies, door } = this.#options;
    door.leave(this.callOf(exchange), session);
    const response = seeOther("/owner");
    response.headers.append("set-cookie", cookies.write("owner", "", { ...sessionCookie, seconds: 0 }));
    return response;
  }
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
