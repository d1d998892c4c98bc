/** `server_status`: who is calling, with which rights, against what. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf } from "./call.ts";

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
    const told = await services.status.describe(principal, signal);
    const notes = await services.notes?.facts() ?? null;
    const moves = services.notes?.mendedMoves(callerOf(call, "server_status")) ?? [];
    return jsonResult({
      ...told,
      caller: { name, kind, profile },
      rights: rights.describe(),
      ...(notes === null ? {} : { notes }),
      ...(moves.length === 0 ? {} : { interrupted_moves: moves }),
    });
  },
});
