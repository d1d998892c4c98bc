/** The reference data beside the project: real pages, and questions with the pages that answer them. */

import { existsSync } from "node:fs";

/** Beside the project's folder; not part of it. */
const data = new URL("../../../../shared/data/", import.meta.url);

export const hasData: boolean = existsSync(new URL("queries.json", data));

export interface VaultPage {
  readonly path: string;
  readonly text: string;
  readonly modified: number;
}

export interface RetrievalQuery {
  readonly id: string;
  readonly kind: string;
  readonly query: string;
  /** Paths of the pages that answer it. */
  readonly relevant: readonly string[];
}

/** Unpacks an archive of the data and runs `work` on the folder that was in it. */
export async function withVault<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "vault-" });
  try {
    const archive = new URL(`${name}.tar.xz`, data).pathname;
    const { success } = await new Deno.Command("tar", { args: ["xJf", archive, "-C", folder] }).output();
    if (!success) throw new Error(`Cannot unpack ${name}`);
    return await work(`${folder}/${name}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Paths of the pages below a folder, in order. */
export async function pagesBelow(folder: string, prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/${prefix}`)) {
    if (entry.isDirectory) found.push(...await pagesBelow(folder, `${prefix}${entry.name}/`));
    else if (entry.name.endsWith(".md")) found.push(prefix + entry.name);
  }
  return found.sort();
}

export async function readPage(folder: string, path: string): Promise<VaultPage> {
  const { mtime } = await Deno.stat(`${folder}/${path}`);
  return { path, text: await Deno.readTextFile(`${folder}/${path}`), modified: mtime?.getTime() ?? 0 };
}

export function retrievalQueries(): RetrievalQuery[] {
  const { queries } = JSON.parse(Deno.readTextFileSync(new URL("queries.json", data)));
  return queries.map((query: RetrievalQuery & { relevant_paths: string[] }) => ({
    id: query.id,
    kind: query.kind,
    query: query.query,
    relevant: query.relevant_paths,
  }));
}

/** The queries that the published table of payload and latency of other servers was made with. */
export function payloadQueries(): string[] {
  const sets = JSON.parse(Deno.readTextFileSync(new URL("bench-queries.json", data)));
  return sets.default.queries.map(({ query }: { query: string }) => query);
}
