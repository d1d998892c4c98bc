/** A store that only reads: behind it no change can be asked of SilverBullet, whatever goes wrong above. */

import { AppError } from "../core/errors.ts";
import type { PageStore } from "../core/page_store.ts";

export function readOnlyStore(store: PageStore): PageStore {
  return {
    list: (options) => store.list(options),
    meta: (path, options) => store.meta(path, options),
    read: (path, options) => store.read(path, options),
    write: () => Promise.reject(readOnly()),
    delete: () => Promise.reject(readOnly()),
  };
}

export function readOnly(): AppError {
  return new AppError({
    code: "read_only",
    message: "Cannot change pages: this server is set to read only",
    remedy: "Do not try again; tell the user that the owner switched changes off.",
  });
}
