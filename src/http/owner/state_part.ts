/** The part of the owner's page about the server itself, and about who is signed in to this page. */

import { sha256Hex } from "../../core/secrets.ts";
import { AppError } from "../../core/errors.ts";
import { renderState } from "../pages/owner/state_page.ts";
import type { OwnerPageOptions, OwnerPart } from "./owner_part.ts";

export function createStatePart(options: OwnerPageOptions): OwnerPart {
  const { owner: { door }, notes, space, roots, version, connect } = options;

  /** What assistants are told, as a hash; `null` where nothing is, or it cannot be read now. */
  async function instructionsHash(signal: AbortSignal): Promise<string | null> {
    try {
      const text = await options.instructions?.(signal) ?? null;
      return text === null ? null : sha256Hex(text);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return null;
    }
  }

  return {
    async show({ session, ticket, now, signal }) {
      const main = renderState({
        version,
        address: connect.address,
        space,
        facts: notes === null ? null : await notes.facts(),
        index: notes?.finding.standing() ?? null,
        roots,
        instructions: await instructionsHash(signal),
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
