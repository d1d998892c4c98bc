/** The part of the owner's page about the server itself, and about who is signed in to this page. */

import { AppError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { renderState } from "../pages/owner/state_page.ts";
import type { SecretProblem } from "../pages/secret_field.ts";
import {
  looking,
  type OwnerPageOptions,
  type OwnerPart,
  type OwnerVisit,
  type PartPage,
} from "./owner_part.ts";
import { createPasskeyDesk } from "./passkey_desk.ts";

export function createStatePart(options: OwnerPageOptions): OwnerPart {
  const { owner: { door }, notes, space, roots, version, connect } = options;
  const desk = createPasskeyDesk(door);

  /** What assistants are told, as a hash; `null` where nothing is, or it cannot be read now. */
  async function instructionsHash(signal: AbortSignal): Promise<string | null> {
    try {
      const text = await options.instructions?.(signal) ?? null;
      return text === null ? null : sha256Hex(text);
    } catch (error) {
      if (!(error instanceof AppError) && !signal.aborted) throw error;
      return null;
    }
  }

  async function page(visit: OwnerVisit, problem: SecretProblem | null): Promise<PartPage> {
    const { session, ticket, now } = visit;
    const { signal } = looking(visit);
    const [ready, facts, told, passkeys] = await Promise.all([
      options.ready(signal),
      notes === null ? null : inTime(notes.facts(), signal),
      instructionsHash(signal),
      desk.show(visit),
    ]);
    const main = renderState({
      ...{ version, space, ready, facts, roots, passkeys, problem, ticket, now },
      address: connect.address,
      hasNotes: notes !== null,
      index: notes?.finding.standing() ?? null,
      instructions: told,
      sessions: door.sessions.list(),
      session: door.find(session)?.id ?? null,
    });
    const status = problem === null ? 200 : 400;
    return { heading: "State", main, status, hasScript: passkeys !== null };
  }

  return {
    show: (visit) => page(visit, null),
    async act(visit, fields) {
      if (fields.one("do") === "others-out") {
        door.sessions.endOthers(visit.session);
        return { kind: "done", done: "others-out" };
      }
      const outcome = await desk.act(visit, fields);
      if (outcome === null) return null;
      if (typeof outcome === "string") return { kind: "done", done: outcome };
      return { kind: "page", page: await page(visit, outcome) };
    },
  };
}

/** `null` where it takes longer than that. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const over = Promise.withResolvers<null>();
  const onAbort = () => over.resolve(null);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
