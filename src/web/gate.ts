/** A gate learns something about a request or refuses it. */

import type { Exchange } from "./exchange.ts";

/** `Response`: refused, and this is the whole answer. Anything else: passed, and this is what was learnt. */
export type Gate<Learnt = null> = (exchange: Exchange) => Learnt | Response;
