/** `server_status`: who is calling, with which rights, against what. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";

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
  async handle(_, { principal, services, signal }) {
    const { name, kind, profile, rights } = principal;
    const told = await services.status.describe(principal, signal);
    return jsonResult({
      ...told,
      caller: { name, kind, profile },
      rights: rights.describe(),
      ...(services.notes === null ? {} : { notes: await services.notes.facts() }),
    });
  },
});
