/// <reference lib="deno.worker" />
/** Removes one folder when it is told to. It may read and write that folder and nothing else. */

self.onmessage = (event: MessageEvent<unknown>) => {
  self.postMessage(typeof event.data === "string" && removeFolder(event.data) ? "removed" : "kept");
};

self.postMessage("ready");

function removeFolder(path: string): boolean {
  try {
    Deno.removeSync(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
