/** The flags of `init`: its own, and those settings that it has a use for. */

export interface InitFlags {
  /** Ask nothing. */
  readonly yes: boolean;
  /** Get a token by a code in the browser, also with `yes`. */
  readonly device: boolean;
  /** The file to write; `null`: the usual place. */
  readonly config: string | null;
  readonly caFile: string | null;
  readonly hasUrl: boolean;
  /** What is handed on to the configuration. */
  readonly settings: readonly string[];
}

const handedOn = new Set(["--silverbullet-url", "--silverbullet-token-file", "--silverbullet-ca-file"]);

/** `null` for a command line that is not understood. */
export function readInitFlags(args: readonly string[]): InitFlags | null {
  const values = new Map<string, string>();
  let yes = false;
  let device = false;
  for (let at = 0; at < args.length; at++) {
    const [name = "", ...rest] = (args[at] ?? "").split("=");
    if (name === "--yes" || name === "-y") yes = true;
    else if (name === "--device") device = true;
    else if (name === "--config" || handedOn.has(name)) {
      const value = rest.length > 0 ? rest.join("=") : args[++at];
      if (value === undefined || value === "" || values.has(name)) return null;
      values.set(name, value);
    } else return null;
  }
  return {
    ...{ yes, device, config: values.get("--config") ?? null },
    caFile: values.get("--silverbullet-ca-file") ?? null,
    hasUrl: values.has("--silverbullet-url"),
    settings: [...values].filter(([name]) => handedOn.has(name)).flat(),
  };
}
