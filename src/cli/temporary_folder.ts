/**
 * A folder for the life of this process, which can still be removed when the process has given up its permissions: a
 * worker of its own, made before, holds the right to exactly that folder.
 */

export interface TemporaryFolder {
  /** Canonical. */
  readonly path: string;
  /** Removes the folder with what is in it, once. Answers false where that cannot be done; never throws. */
  remove(): Promise<boolean>;
}

/** Makes an empty folder that only this user can enter; its name begins with `prefix`. */
export async function createTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix }));
  const worker = new Worker(new URL("./temporary_folder_worker.ts", import.meta.url), {
    type: "module",
    name: "temporary folder",
    deno: {
      permissions: {
        read: [path],
        write: [path],
        net: false,
        env: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
  // Its module is loaded with this thread's permissions, so it must be there before they are given up.
  if (await nextMessage(worker) !== "ready") {
    throw new Error("The worker for the temporary folder does not start");
  }
  let removal: Promise<boolean> | null = null;
  return { path, remove: () => removal ??= removeThrough(worker, path) };
}

async function removeThrough(worker: Worker, path: string): Promise<boolean> {
  const answer = nextMessage(worker);
  worker.postMessage(path);
  const removed = await answer === "removed";
  worker.terminate();
  return removed;
}

function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(null);
    };
  });
}
