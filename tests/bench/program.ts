/** The program under measurement: the real launcher in front of a space that is there already. */

import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { type Program, startProgram } from "../support/app.ts";

export interface Measured {
  /** Address of a SilverBullet server. */
  readonly space: string;
  /** Its token; the one of the embedded spaces where left out. */
  readonly spaceToken?: string;
  readonly port?: number;
  /** Does not wait until it listens. */
  readonly atOnce?: boolean;
  /** The script that is started; from the sources where left out. */
  readonly script?: string | undefined;
  /** More settings; `null` takes a usual one away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Fills the state folder before the start. */
  readonly prepare?: (stateDir: string) => void;
}

/** Starts the program with a state folder of its own, hands it to `work`, and ends it. */
export async function withMeasured<T>(
  measured: Measured,
  work: (program: Program) => Promise<T>,
): Promise<T> {
  const { space, spaceToken, port, atOnce, script, env, prepare } = measured;
  const placeholder = await startEmbedded();
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-bench-" });
  try {
    prepare?.(stateDir);
    const program = await startProgram({
      env: {
        SILVERBRIDGE_SILVERBULLET_URL: space,
        SILVERBRIDGE_LOG_LEVEL: "info",
        ...(spaceToken === undefined ? {} : { SILVERBRIDGE_SILVERBULLET_TOKEN: spaceToken }),
        ...(port === undefined ? {} : { SILVERBRIDGE_PORT: String(port) }),
        ...env,
      },
      ...(atOnce === true ? { wait: "no" } : {}),
      // The binary is compiled without a code cache.
      ...(script === undefined ? {} : { script: [script, "serve"], flags: ["--no-code-cache"] }),
    }, { space: placeholder, stateDir });
    try {
      return await work(program);
    } finally {
      program.kill("SIGTERM");
      await program.ended();
    }
  } finally {
    await placeholder.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}
