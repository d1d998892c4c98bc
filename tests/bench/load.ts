/** A closed-loop load generator: so many connections, each sending its next request when it has its answer. */

import { Agent, request } from "node:http";

export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly calls: number;
  readonly call: (index: number) => Call;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Throws when an answer is not 200, or is an error: a fast refusal is no figure. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const times: number[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < options.calls) {
      const call = options.call(next++);
      const begun = performance.now();
      const text = await send(options.url, { agent, call });
      times.push(performance.now() - begun);
      if (text.includes('"error":{') || text.includes('"isError":true')) throw new Error(text.slice(0, 300));
    }
  }
  const begun = performance.now();
  await Promise.all(Array.from({ length: options.connections }, worker));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function send(url: string, { agent, call }: { readonly agent: Agent; readonly call: Call }): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers: call.headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => text += chunk);
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on("error", reject);
    sent.end(call.body);
  });
}
