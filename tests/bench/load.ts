/**
 * A closed-loop load generator: so many connections, each sending its next request when it has its answer. A process
 * of its own, on plain sockets, so that it takes as little as possible of what it measures.
 *
 *     deno run -A tests/bench/load.ts JOB
 *
 * JOB is a `LoadJob` as JSON; the answer is a `LoadResult` as one line of JSON.
 */

import { callOf, type Era, toolCall } from "./calls.ts";
import { cpuSeconds } from "./machine.ts";
import { pageName } from "./pages.ts";

export interface LoadJob {
  readonly port: number;
  readonly era: Era;
  readonly call: "tools/list" | "read_page" | "list_pages";
  /** How many pages take turns. */
  readonly pages: number;
  readonly connections: number;
  readonly seconds: number;
  /** Ends earlier after so many calls. */
  readonly calls?: number;
  /** Tokens that take turns; the usual one where left out. */
  readonly tokens?: readonly string[];
}

export interface LoadResult {
  readonly calls: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of one answer's body. */
  readonly bytes: number;
  /** Processor time of the generator, in seconds. */
  readonly own: number;
}

/** Runs a job in a process of its own. Throws when an answer is not 200, or is an error: a fast refusal is no figure. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("load.ts", import.meta.url).href, JSON.stringify(job)],
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function load(job: LoadJob): Promise<LoadResult> {
  const requests = encodeRequests(job);
  const times: number[] = [];
  const most = job.calls ?? Infinity;
  let sent = 0;
  let bytes = 0;
  const begun = performance.now();
  const end = begun + job.seconds * 1000;
  async function work(): Promise<void> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: job.port });
    connection.setNoDelay();
    const answers = new AnswerReader(connection);
    while (sent < most && performance.now() < end) {
      const request = requests[sent++ % requests.length];
      if (request === undefined) break;
      const at = performance.now();
      for (let done = 0; done < request.length;) done += await connection.write(request.subarray(done));
      bytes = await answers.next();
      times.push(performance.now() - at);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: job.connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  return {
    calls: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes,
    own: cpuSeconds(Deno.pid),
  };
}

function encodeRequests({ era, call, pages, port, tokens = [] }: LoadJob): Uint8Array[] {
  const encoder = new TextEncoder();
  const count = Math.max(call === "read_page" ? pages : 1, tokens.length);
  return Array.from({ length: count }, (_, index) => {
    const message = messageOf(call, pageName((index * 13) % pages));
    const { headers, body } = callOf(era, message, tokens[index % Math.max(1, tokens.length)]);
    const head = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return encoder.encode(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
  });
}

function messageOf(call: LoadJob["call"], page: string) {
  switch (call) {
    case "tools/list":
      return { method: "tools/list" };
    case "read_page":
      return toolCall("read_page", { page });
    case "list_pages":
      return toolCall("list_pages", { limit: 100 });
  }
}

/** Answers with a `Content-Length`, one after the other. */
class AnswerReader {
  readonly #connection: Deno.TcpConn;
  readonly #decoder = new TextDecoder();
  readonly #buffer = new Uint8Array(1 << 20);
  #filled = 0;

  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Bytes of the next body. */
  async next(): Promise<number> {
    for (;;) {
      const text = this.#decoder.decode(this.#buffer.subarray(0, Math.min(this.#filled, 4096)));
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (head >= 0 && this.#filled >= head + 4 + length) {
        const end = head + 4 + length;
        // An error stands at the beginning or at the end of an answer.
        const edges = text + this.#decoder.decode(this.#buffer.subarray(Math.max(0, end - 100), end));
        if (!text.startsWith("HTTP/1.1 200 ") || /"error":\{|"isError":true/.test(edges)) {
          throw new Error(`No figure: ${text.slice(0, 600)}`);
        }
        this.#buffer.copyWithin(0, end, this.#filled);
        this.#filled -= end;
        return length;
      }
      const read = await this.#connection.read(this.#buffer.subarray(this.#filled));
      if (read === null) throw new Error("The connection ended");
      this.#filled += read;
    }
  }
}

if (import.meta.main) console.log(JSON.stringify(await load(JSON.parse(Deno.args[0] ?? "{}"))));
