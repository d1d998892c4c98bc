/**
 * The life of the server inside its worker where one client is at the other end of standard input and output: serve until
 * the input ends or the launcher says stop, finish what is in hand, close.
 */

import { createCeiling } from "../access/ceiling.ts";
import { type App, createApp } from "../app.ts";
import type { Config } from "../config/config.ts";
import type { Principal } from "../core/principal.ts";
import { Pipe } from "../mcp/pipe.ts";
import { countFaults } from "./faults.ts";
import { closeMs, lookBehind, refusalOf, type ServerProcessOptions } from "./server_process.ts";
import { standardInput, writeStandardOutput } from "./standard_streams.ts";

export type StdioProcessOptions = Omit<ServerProcessOptions, "connections" | "fetchDocument">;

/** Time for calls in hand once nobody writes to the input any more. */
const endOfInputMs = 7000;

export class StdioProcess {
  readonly #options: StdioProcessOptions;
  /** Told of a fault that no request owns. */
  readonly unexpected: (error: unknown) => void;
  #app: App | null = null;
  #pipe: Pipe | null = null;
  #graceMs = endOfInputMs;
  #isStopping = false;

  constructor(options: StdioProcessOptions) {
    this.#options = options;
    this.unexpected = countFaults({ ...options, tooMany: () => options.tell({ kind: "failed" }) });
  }

  async start(): Promise<void> {
    const { config, logger, clock, tell } = this.#options;
    try {
      const app = createApp(config, { ...this.#options, fetchDocument: null });
      this.#app = app;
      const pipe = new Pipe({
        endpoint: app.mcp,
        principalOf: operatorThrough(config),
        input: standardInput(),
        write: writeStandardOutput,
        maxLineBytes: config.maxBodyBytes,
        ...{ clock, logger },
      });
      this.#pipe = pipe;
      tell({ kind: "serving" });
      if (this.#isStopping) pipe.stop();
      const looked = lookBehind(app).catch((error) => this.unexpected(error));
      await pipe.run();
      await Promise.all([looked, this.#finish(pipe, app)]);
    } catch (error) {
      const refusal = refusalOf(error, config);
      if (refusal !== null) return tell({ kind: "refused", refusal });
      logger.incident("start_failed", error);
      tell({ kind: "failed" });
    }
  }

  /** What is in hand gets so much time; then `stopped` is told. */
  async stop(graceMs: number): Promise<void> {
    this.#graceMs = graceMs;
    this.#isStopping = true;
    this.#pipe?.stop();
    if (this.#app === null) this.#options.tell({ kind: "stopped", finished: true });
  }

  async #finish(pipe: Pipe, app: App): Promise<void> {
    const { clock, tell } = this.#options;
    const finished = await pipe.drain(this.#graceMs);
    const late = new AbortController();
    await Promise.race([app.close(), clock.sleep(closeMs, late.signal).catch(() => {})]);
    late.abort();
    tell({ kind: "stopped", finished });
  }
}

/** Whoever started the program is the operator, with the ceiling's rights; changes stand under the client's name. */
function operatorThrough(config: Config): (client: string | null) => Principal {
  const admit = createCeiling(config);
  return (client) => {
    const name = client?.replace(/[^\p{L}\p{N} ._-]/gu, "-") ?? null;
    return admit({
      id: name === null ? "stdio" : `stdio:${name}`,
      name: name ?? "stdio",
      ...{ kind: "stdio", rights: null, roots: "all", profile: null },
    });
  };
}
