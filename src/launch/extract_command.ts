/**
 * How this program starts itself again to read a document: always the same file, the same arguments, an empty environment.
 *
 * From source the file is `deno`, which has to be told what to run and where its packages are kept.
 */

export interface ExtractCommand {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that the child is started with; `cli/inner_commands.ts` knows it. */
export const extractWord = "extract-document";

/** Where `deno` looks for the packages that it has. */
const cacheVariables = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"];

/** Has to be asked before the launcher gives up its permissions. */
export function extractCommand(): ExtractCommand {
  const program = Deno.execPath();
  if (Deno.build.standalone) return { program, args: [extractWord], env: {} };
  const env: Record<string, string> = {};
  for (const name of cacheVariables) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  const flags = ["--cached-only", "--no-prompt", "--allow-read"];
  return { program, args: ["run", ...flags, mainScript(), extractWord], env };
}

/**
 * The permissions of the worker that reads documents in child processes: it may start that one file, and can do nothing else.
 */
export function extractPermissions({ program }: ExtractCommand): Deno.PermissionOptionsObject {
  return {
    ...{ net: false, read: false, write: false, env: false, ffi: false, sys: false, import: false },
    run: [program],
  };
}

/** Of the sources, whoever was started from them; else the bundle that runs. */
function mainScript(): string {
  return import.meta.url.endsWith("/src/launch/extract_command.ts")
    ? `${new URL("../", import.meta.url).href}main.ts`
    : Deno.mainModule;
}
