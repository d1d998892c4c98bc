/** The part of the owner's page about the server itself, and about who is signed in to this page. */

import { AppError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { renderState } from "../pages/owner/state_page.ts";
import { looking, type OwnerPageOptions, type OwnerPart } from "./owner_part.ts";

export function createStatePart(options: OwnerPageOptions): OwnerPart {
  const { owner: { door }, notes, space, roots, version, connect } = options;

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

  return {
    async show(visit) {
      const { session, ticket, now } = visit;
      const { signal } = looking(visit);
      const [ready, facts, told] = await Promise.all([
        options.ready(signal),
        notes === null ? null : inTime(notes.facts(), signal),
        instructionsHash(signal),
      ]);
      const main = renderState({
        version,
        address: connect.address,
        space,
        ready,
        hasNotes: notes !== null,
        facts,
        index: notes?.finding.standing() ?? null,
        roots,
        instructions: told,
        sessions: door.sessions.list(),
        session: door.find(session)?.id ?? null,
        ticket,
        now,
      });
      return { heading: "State", main };
    },
    act({ session }, fields) {
      if (fields.one("do") !== "others-out") return Promise.resolve(null);
      door.sessions.endOthers(session);
      return Promise.resolve({ kind: "done", done: "others-out" });
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
