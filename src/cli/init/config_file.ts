/** The configuration file that `init` writes: its text, and how it gets to its place without ever harming another. */

import { dirname } from "node:path";

export interface NewConfig {
  readonly silverbulletUrl: string;
  readonly silverbulletToken: string | null;
  readonly caFile: string | null;
  /** What clients send. */
  readonly token: string;
  readonly readOnly: boolean;
  /** How clients of the internet reach it, and the hash of what the owner types; `null` without signing in. */
  readonly signIn: { readonly publicUrl: string; readonly ownerHash: string } | null;
}

/** YAML; every value in double quotes, as JSON writes them. */
export function configText(config: NewConfig): string {
  const { signIn } = config;
  const lines: ReadonlyArray<readonly [key: string, value: string | null]> = [
    ["silverbullet_url", config.silverbulletUrl],
    ["silverbullet_token", config.silverbulletToken],
    ["silverbullet_ca_file", config.caFile],
    ["token", config.token],
    ["public_url", signIn?.publicUrl ?? null],
    ["owner_secret", signIn?.ownerHash ?? null],
    ["read_only", config.readOnly ? "on" : null],
  ];
  return [
    "# Written by silverbridge init. It holds secrets: keep it for yourself.",
    "# Every setting: silverbridge help",
    ...lines.flatMap(([key, value]) => value === null ? [] : [`${key}: ${JSON.stringify(value)}`]),
    "",
  ].join("\n");
}

export type Placed = { readonly kept: string | null } | { readonly fault: "exists" | "unwritable" };

/**
 * Writes the file for its owner alone, whole or not at all. What is there is left alone unless `replace` says otherwise;
 * then it is kept beside it, under the name that is answered. `accept` looks at the new file before it counts.
 */
export async function placeConfig(
  path: string,
  text: string,
  { replace, accept }: { readonly replace: boolean; readonly accept: (path: string) => Promise<boolean> },
): Promise<Placed | null> {
  const fresh = `${path}.${crypto.randomUUID()}.new`;
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeWhole(fresh, text);
  } catch {
    remove(fresh);
    return { fault: "unwritable" };
  }
  try {
    if (!await accept(fresh)) return null;
    const kept = replace ? keepOld(path) : null;
    putInPlace(fresh, path, text);
    return { kept };
  } catch (error) {
    return { fault: error instanceof Deno.errors.AlreadyExists ? "exists" : "unwritable" };
  } finally {
    remove(fresh);
  }
}

/** A link, unlike a renaming, never takes the place of a file that came meanwhile. Not every file system has links. */
function putInPlace(fresh: string, path: string, text: string): void {
  try {
    Deno.linkSync(fresh, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    writeWhole(path, text);
  }
}

function writeWhole(path: string, text: string): void {
  const file = Deno.openSync(path, { createNew: true, write: true, mode: 0o600 });
  try {
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    file.syncSync();
  } finally {
    file.close();
  }
}

/** Under a name that nobody has. `null` where there was nothing to keep. */
function keepOld(path: string): string | null {
  for (let count = 1;; count++) {
    const kept = `${path}.old${count === 1 ? "" : count}`;
    if (isThere(kept)) continue;
    try {
      Deno.renameSync(path, kept);
      return kept;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It never came to be.
  }
}

export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
