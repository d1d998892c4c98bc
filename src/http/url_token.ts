/** Tokens in the address are refused on every route: addresses end up in logs, histories and referrers. */

import type { Gate } from "../web/gate.ts";
import { refuse } from "./refusals.ts";

const forbiddenKeys = ["token", "access_token"];

export interface UrlTokenOptions {
  /** True in private mode with the old switch set: then `?token=` is one more way to present the token. */
  readonly allowed: boolean;
}

/** Learns the token of the query where that is allowed; `null` where there is none. */
export function createUrlTokenGate(options: UrlTokenOptions): Gate<{ readonly queryToken: string | null }> {
  const none = { queryToken: null };
  return (exchange) => {
    if (exchange.query === "") return none;
    const pairs = [...new URLSearchParams(exchange.query)]
      .filter(([key]) => forbiddenKeys.includes(key.toLowerCase()));
    if (pairs.length === 0) return none;
    const [only, ...more] = pairs;
    if (!options.allowed || only?.[0] !== "token" || more.length > 0) return refuse("token-in-url-refused");
    return { queryToken: only[1] };
  };
}
