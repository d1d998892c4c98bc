/** What a client may do now, in plain sentences: the rights as they are worked out, whatever they were worked out from. */

import type { Principal } from "../../../core/principal.ts";
import type { Verb, VerbGlobs } from "../../../core/rights.ts";
import { type Html, html } from "../../../web/html.ts";
import { profileWords } from "../consent_fields.ts";
import { listWords, pagesWords } from "../consent_words.ts";

const deeds: Readonly<Record<Exclude<Verb, "read">, string>> = {
  create: "create",
  write: "change",
  append: "add to",
  delete: "delete",
};
/** In the order in which they are told. */
const changing = ["create", "write", "append", "delete"] as const;

/** `roots`: aliases of all folders that there are. */
export function grantedWords(
  { rights, profile }: Principal,
  { hasNotes, roots }: { readonly hasNotes: boolean; readonly roots: readonly string[] },
): readonly Html[] {
  const { verbs: granted } = rights.describe();
  const folders = roots.filter((alias) => rights.allowsRoot(alias));
  return [
    ...(hasNotes ? [readWords(granted), ...changeWords(granted)] : []),
    ...(folders.length === 0 ? [] : [html`Read the folders ${listWords(folders)}`]),
    ...(profile === "standard" || profile === "full"
      ? []
      : [html`It is shown ${profileWords[profile] ?? profile}`]),
  ];
}

function readWords({ read = [] }: VerbGlobs): Html {
  return read.length === 0 ? html`Read no page` : html`Read and search ${pagesWords(read)}`;
}

/** One sentence for all verbs that are granted for the same pages. */
function changeWords(granted: VerbGlobs): readonly Html[] {
  const byPages = new Map<string, { readonly globs: readonly string[]; readonly verbs: string[] }>();
  for (const verb of changing) {
    const globs = granted[verb] ?? [];
    if (globs.length === 0) continue;
    const key = JSON.stringify(globs);
    const known = byPages.get(key) ?? { globs, verbs: [] };
    known.verbs.push(deeds[verb]);
    byPages.set(key, known);
  }
  if (byPages.size === 0) return [html`Change nothing`];
  return [...byPages.values()].map(({ globs, verbs }) => html`${sentence(verbs)} ${pagesWords(globs)}`);
}

function sentence(words: readonly string[]): string {
  const text = words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
