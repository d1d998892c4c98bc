/** Folders over plain HTTP: a tree of files made for one test, the program over it, and calls as curl makes them. */

import { type AppSettings, type InProcessApp, type Program, token, withApp, withProgram } from "./app.ts";

/** Settings of a server over folders alone, as personal-mcp-bridge was: no space, no token, no state. */
const foldersAlone = {
  SILVERBRIDGE_SILVERBULLET_URL: null,
  SILVERBRIDGE_SILVERBULLET_TOKEN: null,
  SILVERBRIDGE_TOKEN: null,
  SILVERBRIDGE_STATE_DIR: null,
} as const;

export interface FilesOptions {
  /** Path below the root `notes` → content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Merged over `foldersAlone`; `null` takes one away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Last word on the configuration, in process. */
  readonly configure?: AppSettings["configure"];
}

/** What came back, as a caller sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `null` where the answer is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** The code of an error, else an empty string. */
  readonly code: string;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  const json = isJson ? JSON.parse(text) as Record<string, unknown> : null;
  const code = typeof json?.["error"] === "string" ? json["error"] : "";
  return { status: response.status, headers: response.headers, text, json, code };
}

export interface FilesApp extends InProcessApp {
  /** Absolute path of the root `notes`. */
  readonly root: string;
  get(target: string, headers?: HeadersInit, peer?: string): Promise<Answer>;
  call(body: unknown, headers?: HeadersInit, peer?: string): Promise<Answer>;
  send(method: string, target: string, init?: RequestInit & { readonly peer?: string }): Promise<Answer>;
}

export const welcome = "# Welcome\n\nThe budget is 40.\nLast line\n";

/** The composition in process, over one root `notes`. */
export async function withFilesApp<T>(
  options: FilesOptions,
  work: (app: FilesApp) => Promise<T>,
): Promise<T> {
  return await withTree(options, async (root, env) => {
    const { configure } = options;
    return await withApp({ env, ...(configure === undefined ? {} : { configure }) }, async (app) => {
      const send: FilesApp["send"] = async (method, target, { peer, ...init } = {}) => {
        const request = new Request(`http://127.0.0.1:8787${target}`, { method, ...init });
        return await answerOf(await app.fetch(request, peer));
      };
      return await work({
        ...app,
        root,
        send,
        get: (target, headers = {}, peer = "127.0.0.1") => send("GET", target, { headers, peer }),
        call: (body, headers = {}, peer = "127.0.0.1") =>
          send("POST", "/call", {
            headers: { "content-type": "application/json", ...headers },
            body: typeof body === "string" ? body : JSON.stringify(body),
            peer,
          }),
      });
    });
  });
}

/** The running program with its real permissions, over one root `notes`. */
export async function withFilesProgram<T>(
  options: FilesOptions,
  work: (program: Program, root: string) => Promise<T>,
): Promise<T> {
  return await withTree(options, (root, env) => withProgram({ env }, (program) => work(program, root)));
}

export const bearer = { authorization: `Bearer ${token}` };

async function withTree<T>(
  { files = { "welcome.md": welcome }, env = {} }: FilesOptions,
  work: (root: string, env: Readonly<Record<string, string | null>>) => Promise<T>,
): Promise<T> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "silverbridge-files-" }));
  const root = `${folder}/notes`;
  try {
    await Deno.mkdir(root);
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(`${root}/${path}`, content);
      else await Deno.writeFile(`${root}/${path}`, content);
    }
    return await work(root, { ...foldersAlone, BRIDGE_ROOTS: `notes=${root}`, ...env });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
