/** `server_status`: who is calling, with which rights, against what. */

import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import { defineTool, jsonResult, type ToolCall } from "../tool.ts";

export const serverStatus = defineTool({
  name: "server_status",
  title: "Server status",
  description:
    "Tells who is calling with which rights, the SilverBullet version, how writes are guarded, limits.",
  family: "server",
  input: z.object({}),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: [],
  synonyms: {},
  errors: [],
  deadline: 15_000,
  async handle(_, call) {
    const { principal, services, signal } = call;
    const { name, kind, profile, rights } = principal;
    const { verbs, roots } = rights.describe();
    return jsonResult({
      caller: { name, kind, profile, rights: verbs, roots },
      ...await services.status.describe(principal, signal),
      ...(services.notes === null ? {} : { notes: await notesPart(call) }),
    });
  },
});

/** A SilverBullet that does not answer is a fact of the status, not a failure of asking. */
async function notesPart({ services }: ToolCall): Promise<unknown> {
  try {
    return await services.notes?.facts();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { unavailable: error.message, remediation: error.remedy };
  }
}
