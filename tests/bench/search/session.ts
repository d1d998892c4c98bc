/** The program under measurement in front of a space, with a state folder that outlasts its restarts. */

import { type EmbeddedServer, startEmbedded } from "../../../src/silverbullet/embedded/server.ts";
import { type Program, startProgram } from "../../support/app.ts";
import { callOf, type Era, toolCall } from "../calls.ts";

export interface Place {
  /** Address of a SilverBullet server. */
  readonly space: string;
  /** The one of the embedded spaces where left out. */
  readonly token?: string | undefined;
  /** The space's folder, where it is read beside. */
  readonly folder?: string | undefined;
  /** The script that is started; from the sources where left out. */
  readonly script?: string | undefined;
}

export interface Answer {
  readonly searched?: { readonly pages: number; readonly complete: boolean };
  readonly total?: number;
  readonly hits?: readonly { readonly page: string }[];
}

/** A state folder with whatever is started over it, one program at a time. */
export class Session {
  readonly #place: Place;
  readonly #placeholder: EmbeddedServer;
  readonly #stateDir: string;
  #program: Program | null = null;

  private constructor(place: Place, placeholder: EmbeddedServer, stateDir: string) {
    this.#place = place;
    this.#placeholder = placeholder;
    this.#stateDir = stateDir;
  }

  static async open(place: Place): Promise<Session> {
    const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-bench-" });
    return new Session(place, await startEmbedded(), stateDir);
  }

  /** Starts the program, after it was ended where it ran. */
  async start(): Promise<void> {
    await this.end();
    const { space, token, folder, script } = this.#place;
    this.#program = await startProgram({
      env: {
        SILVERBRIDGE_SILVERBULLET_URL: space,
        SILVERBRIDGE_LOG_LEVEL: "info",
        ...(token === undefined ? {} : { SILVERBRIDGE_SILVERBULLET_TOKEN: token }),
        ...(folder === undefined ? {} : { SILVERBRIDGE_SPACE_PATH: folder }),
      },
      ...(script === undefined ? {} : { script: [script, "serve"] }),
    }, { space: this.#placeholder, stateDir: this.#stateDir });
  }

  get program(): Program {
    if (this.#program === null) throw new Error("Nothing is started");
    return this.#program;
  }

  /** Calls a tool; throws where it fails. */
  async call(name: string, args: Readonly<Record<string, unknown>>, era: Era = "2025"): Promise<Answer> {
    const { headers, body } = callOf(era, toolCall(name, args));
    const response = await fetch(`${this.program.url}/mcp`, { method: "POST", headers, body });
    const { result, error } = await response.json();
    if (error !== undefined || result.isError === true) {
      throw new Error(JSON.stringify(error ?? result).slice(0, 300));
    }
    return JSON.parse(result.content[0].text);
  }

  /** Asks until the index is complete; `meanwhile` runs between two questions. Answers milliseconds. */
  async complete(meanwhile: () => Promise<void> = pause): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const { searched } = await this.call("search_pages", { query: "keeper", limit: 1 });
      if (searched?.complete === true) return performance.now() - begun;
      await meanwhile();
      if (performance.now() - begun > 180_000) throw new Error("The index is never complete");
    }
  }

  async end(): Promise<void> {
    this.#program?.kill("SIGTERM");
    await this.#program?.ended();
    this.#program = null;
  }

  async close(): Promise<void> {
    await this.end();
    await this.#placeholder.close();
    await Deno.remove(this.#stateDir, { recursive: true });
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
