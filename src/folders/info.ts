/** What is known of one file or folder without reading more than its beginning. */

import type { InfoAnswer } from "./answers.ts";
import type { Containment, OpenFile, Place } from "./contain.ts";
import { kindOf } from "./file_kind.ts";
import { rfc3339 } from "./read.ts";
import { notFound } from "./refusals.ts";
import type { Turn } from "./turn.ts";

export async function describePlace(
  root: Containment,
  place: Place,
  turn: Turn,
): Promise<InfoAnswer> {
  if (place.facts.kind === "directory") return await describeFolder(root, place, turn);
  const file = await root.open(place, turn);
  try {
    return await describeFile(file);
  } finally {
    await file.close();
  }
}

/** Looked at once more while the folders above hold still, so that it is nothing outside of the root. */
async function describeFolder(root: Containment, { segments, ref }: Place, turn: Turn): Promise<InfoAnswer> {
  const facts = await root.during(segments, turn, () => root.lookAt(segments, turn));
  if (facts.kind !== "directory") throw notFound(ref);
  return { ref, type: "directory", modified: rfc3339(facts.modified) };
}

async function describeFile(file: OpenFile): Promise<InfoAnswer> {
  const found = await kindOf(file, null);
  const extension = /.\.([^.]+)$/.exec(file.segments.at(-1) ?? "")?.[1]?.toLowerCase();
  return {
    ref: file.ref,
    type: "file",
    size: file.opened.size,
    modified: rfc3339(file.opened.modified),
    ...(extension === undefined ? {} : { extension }),
    readable_as: found.kind === "document" ? found.format : found.kind,
    ...(found.kind === "text" ? { encoding: found.form.encoding } : {}),
  };
}
