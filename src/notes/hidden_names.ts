/** Whether a page that somebody names is one of those that exist for no assistant and of which nothing may be kept. */

import { AppError } from "../core/errors.ts";
import { type PagePath, parsePageName } from "../core/page_name.ts";
import { compileGlobs } from "../core/rights.ts";
import { governedBy, trashedWhole } from "./places.ts";

/** What is no name of a page counts as hidden: nobody needs it kept. */
export function hidesTyped(hiddenPaths: readonly string[]): (typed: string) => boolean {
  const hides = compileGlobs(hiddenPaths);
  const covers = (path: PagePath) => {
    const whole = trashedWhole(path);
    return hides(path) || hides(governedBy(path)) || whole !== null && hides(whole);
  };
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
