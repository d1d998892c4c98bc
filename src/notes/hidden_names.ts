/** Whether a page is one of those that exist for no assistant and of which nothing may be kept. */

import { AppError } from "../core/errors.ts";
import { type PagePath, parsePageName } from "../core/page_name.ts";
import { compileGlobs } from "../core/rights.ts";
import { governedBy, trashedWhole } from "./places.ts";

/** True for files that the operator's globs hide, and for copies of such files in the trash and beside conflicts. */
export function hidesFiles(hiddenPaths: readonly string[]): (path: PagePath) => boolean {
  const hides = compileGlobs(hiddenPaths);
  return (path) => {
    if (hides(path) || hides(governedBy(path))) return true;
    // A copy in the trash may be of a page whose own name ends in a time.
    const whole = trashedWhole(path);
    return whole !== null && hides(whole);
  };
}

/** What is no name of a page counts as hidden: nobody needs it kept. */
export function hidesTyped(hiddenPaths: readonly string[]): (typed: string) => boolean {
  const covers = hidesFiles(hiddenPaths);
  return (typed) => {
    try {
      const { path, fallback } = parsePageName(typed);
      return covers(path) || fallback !== null && covers(fallback);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return true;
    }
  };
}
