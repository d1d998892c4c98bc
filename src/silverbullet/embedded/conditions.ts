/** `If-Match` and `If-None-Match` on changes, as SilverBullet 2.11 and later judge them. */

import { bareReply, type Reply } from "./reply.ts";
import { fileHeaders, findFile, revisionHeaders, type Space } from "./space.ts";

export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The 412 that refuses the change, or `null` where it may go ahead. */
export function failedPrecondition(
  space: Space,
  request: { readonly method: string; readonly path: string } & Preconditions,
): Reply | null {
  if (!space.traits.conditional) return null;
  const { path, ifMatch, ifNoneMatch } = request;
  const found = findFile(space, path);
  const exists = found !== null || space.files.isFolder(path);
  if (ifNoneMatch !== undefined && request.method === "PUT") {
    if (ifNoneMatch.trim() !== "*") return refuse();
    if (exists) return refuseWithCurrent(space, path);
  }
  if (ifMatch !== undefined) {
    if (!exists) return refuse();
    if (ifMatch.trim() !== "*") {
      const wanted = /^"?sha256:([0-9a-f]{64})"?$/i.exec(ifMatch.trim())?.[1]?.toLowerCase();
      if (wanted === undefined || found === null) return refuse();
      if (wanted !== space.files.cachedHash(path)) return refuseWithCurrent(space, path);
    }
  }
  return null;
}

function refuse(): Reply {
  return bareReply(412, "Precondition Failed");
}

function refuseWithCurrent(space: Space, path: string): Reply {
  const found = findFile(space, path);
  if (found === null) return refuse();
  const headers = fileHeaders(space, path, found);
  return {
    status: 412,
    headers: {
      ...headers,
      ...revisionHeaders(space, space.files.cachedHash(path)),
      "Cache-Control": "no-store",
    },
    body: "Precondition Failed",
  };
}
