/** The key that seals what must be readable again: the operator's, or one of its own in a file beside the state. */

import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomSecret } from "../core/secrets.ts";
import { StateError } from "./state_error.ts";

export interface SealSecretOptions {
  /** Absolute path of the state folder; `null` without one. */
  readonly dir: string | null;
  /** `STATE_KEY`; `null` where it is not set. */
  readonly key: string | null;
}

const fileName = "state.key";
const maxBytes = 1024;

/**
 * Makes the file, with no rights for others, where there is none yet; of several processes that make one at the same time
 * all get the same. `null` without a folder. Throws `StateError`.
 */
export function sealSecret({ dir, key }: SealSecretOptions): string | null {
  if (key !== null || dir === null) return key;
  const file = join(dir, fileName);
  try {
    return readSecret(file) ?? makeSecret(dir, file);
  } catch (error) {
    throw new StateError(
      "unwritable",
      `Cannot read or make the file ${fileName} in the state folder`,
      "Let the user that runs silverbridge own that folder, on a disk with free space, or set `STATE_KEY`.",
      error,
    );
  }
}

function readSecret(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile() || found.size === 0 || found.size > maxBytes) throw new Error("Not a key file");
  return readFileSync(file, "utf8").trim();
}

/** Written whole under another name first, so that nobody reads half a key. */
function makeSecret(dir: string, file: string): string {
  const own = join(dir, `.${fileName}-${randomSecret(6)}`);
  const handle = openSync(own, "wx", 0o600);
  try {
    writeSync(handle, `${randomSecret()}\n`);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(own, file);
  } catch (error) {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readSecret(file) ?? "";
}
