/**
 * The owner's page: lets the owner in, shows its parts, takes their forms.
 *
 * Nothing is done but by a form that this very session was given, sent by a browser from this very page; what gives
 * more than there was, or cannot be undone, asks for the secret once more in its part.
 */

import { AppError } from "../../core/errors.ts";
import type { NewCookies } from "../../oauth/authorize_endpoint.ts";
import { isFormKey, isTicket, makeTicket, newFormKey } from "../../oauth/form_ticket.ts";
import type { DoorCall, DoorProblem } from "../../oauth/owner_door.ts";
import { sessionSeconds } from "../../oauth/owner_sessions.ts";
import { formParameters, Parameters } from "../../oauth/parameters.ts";
import { isStateFailure } from "../../oauth/state_failure.ts";
import type { Exchange } from "../../web/exchange.ts";
import { baseHeaders, htmlResponse } from "../../web/respond.ts";
import type { CallerAddress } from "../caller_address.ts";
import { type CookieJar, createCookieJar } from "../cookies.ts";
import { renderDoor } from "../pages/owner/door_page.ts";
import { type OwnerPlace, renderOwnerPage, troubleBox } from "../pages/owner/owner_frame.ts";
import type { SecretProblem } from "../pages/secret_field.ts";
import type { Handler, Passed } from "../pipeline.ts";
import { refuse } from "../refusals.ts";
import { createChangesPart } from "./changes_part.ts";
import { createClientsPart } from "./clients_part.ts";
import { doneCode, doneWords } from "./done.ts";
import type { OwnerPageOptions, OwnerPart, OwnerVisit, PartAnswer, PartPage } from "./owner_part.ts";
import { createStatePart } from "./state_part.ts";
import { createTrashPart } from "./trash_part.ts";

export interface OwnerHandlerOptions extends OwnerPageOptions {
  /** Origin that clients reach, without a trailing slash. */
  readonly publicUrl: string;
  readonly callerAddress: CallerAddress;
}

interface PlacedPart extends OwnerPlace {
  readonly part: OwnerPart;
}

const sessionCookie = { seconds: sessionSeconds, isStrict: true };
const formKeySeconds = 3600;
const browserPassSeconds = 400 * 86_400;

export function createOwnerHandler(options: OwnerHandlerOptions): Handler {
  const cookies = createCookieJar({ secure: options.publicUrl.startsWith("https:") });
  const places = partsOf(options);
  const page = new OwnerPage({ ...options, cookies, places });
  return (passed) => page.answer(passed);
}

/** Those that this server has: without notes there is nothing to undo. */
function partsOf(options: OwnerPageOptions): readonly PlacedPart[] {
  const { notes } = options;
  const past = notes === null || notes.oversight === null ? null : { notes, oversight: notes.oversight };
  return [
    { path: "/owner", name: "Clients", part: createClientsPart(options) },
    ...(past === null ? [] : [
      { path: "/owner/changes", name: "Changes", part: createChangesPart(options, past) },
      { path: "/owner/trash", name: "Trash", part: createTrashPart(options, past) },
    ]),
    { path: "/owner/state", name: "State", part: createStatePart(options) },
  ];
}

interface PageOptions extends OwnerHandlerOptions {
  readonly cookies: CookieJar;
  readonly places: readonly PlacedPart[];
}

class OwnerPage {
  readonly #options: PageOptions;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  async answer({ exchange, body }: Passed): Promise<Response> {
    const { cookies, owner: { door }, places } = this.#options;
    const place = places.find(({ path }) => path === exchange.path);
    if (place === undefined) return refuse("not-found");
    const session = cookies.read(exchange, "owner");
    const isIn = door.find(session) !== null;
    if (exchange.method !== "POST") {
      return session !== null && isIn
        ? await this.#show(exchange, place, this.#visit(exchange, session))
        : this.#door(exchange, { problem: null });
    }
    const fields = formParameters(body ?? new Uint8Array(0), exchange.header("content-type"));
    if (fields === null) return refuse("unsupported-form");
    const site = exchange.header("sec-fetch-site");
    if (site !== null && site !== "same-origin") return refuse("origin-not-allowed");
    return session !== null && isIn
      ? await this.#act(exchange, place, { visit: this.#visit(exchange, session), fields })
      : await this.#enter(exchange, fields);
  }

  async #show(exchange: Exchange, place: PlacedPart, visit: OwnerVisit): Promise<Response> {
    const done = doneWords(visit.query.one("done"), visit.session);
    try {
      return this.#page(place, visit, { page: await place.part.show(visit), notice: done });
    } catch (error) {
      return this.#page(place, visit, { page: troublePage(error, exchange), notice: done });
    }
  }

  async #act(
    exchange: Exchange,
    place: PlacedPart,
    { visit, fields }: { readonly visit: OwnerVisit; readonly fields: Parameters },
  ): Promise<Response> {
    const { owner: { door } } = this.#options;
    if (!door.sessions.isTicket(fields.one("ticket") ?? "", visit.session)) {
      return refuse("origin-not-allowed");
    }
    if (fields.one("do") === "sign-out") return this.#leave(visit);
    const answer = await this.#tried(exchange, () => place.part.act(visit, fields));
    if (answer === null) return refuse("not-found");
    if (answer.kind === "page") return this.#page(place, visit, { page: answer.page, notice: null });
    return seeOther(`${place.path}?done=${doneCode(answer.done, visit.session)}`);
  }

  async #tried(exchange: Exchange, act: () => Promise<PartAnswer | null>): Promise<PartAnswer | null> {
    try {
      return await act();
    } catch (error) {
      return { kind: "page", page: troublePage(error, exchange) };
    }
  }

  #leave({ call, session }: OwnerVisit): Response {
    const { cookies, owner: { door } } = this.#options;
    door.leave(call, session);
    const response = seeOther("/owner");
    response.headers.append("set-cookie", cookies.write("owner", "", { ...sessionCookie, seconds: 0 }));
    return response;
  }

  async #enter(exchange: Exchange, fields: Parameters): Promise<Response> {
    const { cookies, clock, owner: { door } } = this.#options;
    const key = cookies.read(exchange, "form");
    const ticket = fields.one("ticket") ?? "";
    const isOurs = fields.one("do") === "sign-in" && isFormKey(key) &&
      isTicket(ticket, { key, subject: exchange.path, now: clock.now() });
    if (!isOurs) return this.#door(exchange, { problem: { kind: "expired" } });
    const outcome = await door.enter(this.#call(exchange), {
      secret: fields.text("secret"),
      unlockCode: fields.text("unlock"),
    });
    if (outcome.kind !== "in") return this.#door(exchange, { problem: outcome });
    const response = seeOther(exchange.path);
    response.headers.append("set-cookie", cookies.write("owner", outcome.session, sessionCookie));
    return this.#withCookies(response, { formKey: null, browserPass: outcome.browserPass });
  }

  #door(exchange: Exchange, { problem }: { readonly problem: SecretProblem | null }): Response {
    const { cookies, clock, owner: { door } } = this.#options;
    const now = clock.now();
    const known = cookies.read(exchange, "form");
    const key = isFormKey(known) ? known : newFormKey();
    const seconds = problem === null ? door.wait(this.#call(exchange)) : 0;
    const shown = seconds > 0 ? { kind: "locked" as const, seconds } : problem;
    const site = exchange.header("sec-fetch-site");
    const html = renderDoor({
      action: exchange.path,
      ticket: makeTicket({ key, subject: exchange.path, now }),
      problem: shown,
      fromElsewhere: exchange.method === "GET" && (site === "cross-site" || site === "same-site"),
      now,
    });
    const retry = shown?.kind === "locked" ? { "retry-after": String(shown.seconds) } : {};
    const response = htmlResponse(doorStatus(shown), html, retry);
    return this.#withCookies(response, { formKey: key === known ? null : key, browserPass: null });
  }

  #page(
    place: PlacedPart,
    { ticket }: OwnerVisit,
    { page: { heading, main, status = 200 }, notice }: {
      readonly page: PartPage;
      readonly notice: string | null;
    },
  ): Response {
    const { places } = this.#options;
    return htmlResponse(status, renderOwnerPage({ places, here: place.path, heading, main, notice, ticket }));
  }

  #visit(exchange: Exchange, session: string): OwnerVisit {
    const { clock, owner: { door } } = this.#options;
    return {
      call: this.#call(exchange),
      session,
      ticket: door.sessions.ticketOf(session),
      query: new Parameters(exchange.query),
      now: clock.now(),
      signal: exchange.signal,
    };
  }

  #call(exchange: Exchange): DoorCall {
    const { cookies, callerAddress } = this.#options;
    return {
      address: callerAddress(exchange),
      browserPass: cookies.read(exchange, "browser"),
      requestId: exchange.id,
    };
  }

  #withCookies(response: Response, { formKey, browserPass }: NewCookies): Response {
    const { cookies } = this.#options;
    if (formKey !== null) {
      response.headers.append("set-cookie", cookies.write("form", formKey, formKeySeconds));
    }
    if (browserPass !== null) {
      response.headers.append("set-cookie", cookies.write("browser", browserPass, browserPassSeconds));
    }
    return response;
  }
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...baseHeaders, location } });
}

function doorStatus(problem: SecretProblem | DoorProblem | null): number {
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

/** What could not be done, and what to do; anything unexpected is thrown on. */
function troublePage(error: unknown, { path }: Exchange): PartPage {
  if (error instanceof AppError) {
    return {
      heading: "That did not work",
      main: troubleBox(`${error.message}.`, path),
      status: error.status,
    };
  }
  if (!isStateFailure(error)) throw error;
  const message = "This server cannot use its state folder now, so nothing was done. Its log says more.";
  return { heading: "That did not work", main: troubleBox(message, path), status: 503 };
}
