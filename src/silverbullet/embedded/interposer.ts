/**
 * The one seam through which something may come between the embedded server and its peer: faults in tests, slow links in
 * a demonstration. The plain server has none, and then nothing of this runs.
 */

import type { ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";

/** One request as the routes understand it. */
export interface Exchange {
  readonly method: string;
  /** Decoded path of a file, `""` for the list, `null` for every other route. */
  readonly path: string | null;
  /** The request target below the prefix, such as `/.config`. */
  readonly route: string;
  /** True for a GET that asks for metadata alone. */
  readonly meta: boolean;
}

export interface Interposer {
  /** Called before the request is looked at. A reply answers it; `"cut"` drops the connection. */
  arriving(exchange: Exchange): Promise<Reply | "cut" | null>;
  /** Called with a body about to be stored. Must call `store` itself or answer for it; a reply is final. */
  storing(exchange: Exchange, bytes: Uint8Array<ArrayBuffer>, store: StoreBytes): Promise<Reply | null>;
  /** Called with the finished reply; may change it. `"cut"` drops the connection instead. */
  answering(exchange: Exchange, reply: Reply): Promise<Reply | "cut">;
  /** Sends the reply by itself and answers true, or answers false. */
  sending(exchange: Exchange, reply: Reply, response: ServerResponse): Promise<boolean>;
}

export type StoreBytes = (bytes: Uint8Array<ArrayBuffer>) => void;
