/** How far a call has come, told to a client that asked for it, in rising order alone. */

import type { Progress } from "../tools/tool.ts";
import { progressTokenOf } from "./head.ts";
import type { RpcMessage } from "./message.ts";

export interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: {
    readonly progressToken: string | number;
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  };
}

/** `null` where the client did not ask for progress, or could not be told. */
export function progressTo(
  { message, stream }: { readonly message: RpcMessage; readonly stream: boolean },
  notify: (notification: ProgressNotification) => Promise<void>,
): Progress | null {
  const progressToken = progressTokenOf(message);
  if (progressToken === null || !stream) return null;
  let told = -1;
  return ({ done, total, message: text }) => {
    if (done <= told) return;
    told = done;
    const params = {
      progressToken,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(text === undefined ? {} : { message: text }),
    };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
