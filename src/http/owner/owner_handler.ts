/**
 * The owner's page: lets the owner in, shows its parts, takes their forms.
 *
 * Nothing is done but by a form that this very session was given, sent by a browser from this very page; what gives
 * more than there was, or cannot be undone, asks for the secret once more in its part.
 */

import { AppError } from "../../core/errors.ts";
import { formParameters, Parameters } from "../../oauth/parameters.ts";
import { isStateFailure } from "../../oauth/state_failure.ts";
import type { Exchange } from "../../web/exchange.ts";
import { htmlResponse, scriptPolicy, seeOther } from "../../web/respond.ts";
import type { CallerAddress } from "../caller_address.ts";
import { createCookieJar } from "../cookies.ts";
import { type OwnerPlace, renderOwnerPage, troubleBox } from "../pages/owner/owner_frame.ts";
import type { Handler, Passed } from "../pipeline.ts";
import { refuse } from "../refusals.ts";
import { createChangesPart } from "./changes_part.ts";
import { createClientsPart } from "./clients_part.ts";
import { doneCode, doneWords } from "./done.ts";
import { Entrance } from "./entrance.ts";
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

export function createOwnerHandler(options: OwnerHandlerOptions): Handler {
  const page = new OwnerPage(options, partsOf(options));
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

class OwnerPage {
  readonly #options: OwnerHandlerOptions;
  readonly #places: readonly PlacedPart[];
  readonly #entrance: Entrance;

  constructor(options: OwnerHandlerOptions, places: readonly PlacedPart[]) {
    this.#options = options;
    this.#places = places;
    const { publicUrl, callerAddress, clock, owner: { door } } = options;
    const cookies = createCookieJar({ secure: publicUrl.startsWith("https:") });
    this.#entrance = new Entrance({ door, cookies, callerAddress, clock });
  }

  async answer({ exchange, body }: Passed): Promise<Response> {
    const place = this.#places.find(({ path }) => path === exchange.path);
    if (place === undefined) return refuse("not-found");
    const session = this.#entrance.sessionOf(exchange);
    if (exchange.method !== "POST") {
      return session === null
        ? this.#entrance.ask(exchange)
        : await this.#show(exchange, place, this.#visit(exchange, session));
    }
    const fields = formParameters(body ?? new Uint8Array(0), exchange.header("content-type"));
    if (fields === null) return refuse("unsupported-form");
    const site = exchange.header("sec-fetch-site");
    if (site !== null && site !== "same-origin") return refuse("origin-not-allowed");
    return session === null
      ? await this.#entrance.enter(exchange, fields)
      : await this.#act(exchange, place, { visit: this.#visit(exchange, session), fields });
  }

  async #show(exchange: Exchange, place: PlacedPart, visit: OwnerVisit): Promise<Response> {
    const notice = doneWords(visit.query.one("done"), visit.session);
    const page = await orTrouble(exchange, () => place.part.show(visit));
    return this.#page(place, visit, { page, notice });
  }

  async #act(
    exchange: Exchange,
    place: PlacedPart,
    { visit, fields }: { readonly visit: OwnerVisit; readonly fields: Parameters },
  ): Promise<Response> {
    const { owner: { door } } = this.#options;
    const wanted = fields.one("do");
    // The browser is in by now, perhaps from another of its tabs.
    if (wanted === "sign-in") return seeOther(place.path);
    if (!door.sessions.isTicket(fields.one("ticket") ?? "", visit.session)) {
      return refuse("origin-not-allowed");
    }
    const answer = await orTrouble<Response | PartAnswer | null>(
      exchange,
      () =>
        wanted === "sign-out" ? this.#entrance.leave(exchange, visit.session) : place.part.act(visit, fields),
    );
    if (answer instanceof Response) return answer;
    if (answer === null) return refuse("not-found");
    if ("main" in answer) return this.#page(place, visit, { page: answer, notice: null });
    if (answer.kind === "page") return this.#page(place, visit, { page: answer.page, notice: null });
    return seeOther(`${place.path}?done=${doneCode(answer.done, visit.session)}`);
  }

  #page(
    place: PlacedPart,
    { ticket }: OwnerVisit,
    { page: { heading, main, status = 200, hasScript = false }, notice }: {
      readonly page: PartPage;
      readonly notice: string | null;
    },
  ): Response {
    const html = renderOwnerPage({
      places: this.#places,
      here: place.path,
      ...{ heading, main, notice, ticket },
    });
    return htmlResponse(status, html, hasScript ? scriptPolicy : {});
  }

  #visit(exchange: Exchange, session: string): OwnerVisit {
    const { clock, owner: { door } } = this.#options;
    return {
      call: this.#entrance.callOf(exchange),
      session,
      ticket: door.sessions.ticketOf(session),
      query: new Parameters(exchange.query),
      now: clock.now(),
      signal: exchange.signal,
    };
  }
}

/** What could not be done, and what to do, as a page; anything unexpected is thrown on. */
async function orTrouble<T>({ path }: Exchange, work: () => T | Promise<T>): Promise<T | PartPage> {
  const heading = "That did not work";
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      return { heading, main: troubleBox(`${error.message}.`, path), status: error.status };
    }
    if (!isStateFailure(error)) throw error;
    const message =
      "This server cannot use its state folder now; its log says more. Look what is done before you " +
      "try again.";
    return { heading, main: troubleBox(message, path), status: 503 };
  }
}
