import assert from "node:assert/strict";
import { SingleExchange, type SingleExchangeOptions } from "./single_exchange.ts";

const request = { jsonrpc: "2.0", id: 1, method: "tools/call" } as const;
const answer = { jsonrpc: "2.0", id: 1, result: {} };
const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };

function exchange(
  options: Partial<SingleExchangeOptions> = {},
): SingleExchange & { readonly response: Promise<Response> } {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  const one = new SingleExchange({
    id: 1,
    signal: new AbortController().signal,
    stream: false,
    keepAliveMs: 60_000,
    respond,
    ...options,
  });
  return Object.assign(one, { response });
}

Deno.test("SingleExchange answers JSON when nothing comes before the answer", async () => {
  const one = exchange();
  let closed = 0;
  let ended = 0;
  one.onclose = () => closed++;
  one.onend = () => ended++;
  one.deliver(request);
  await one.send(answer);
  const response = await one.response;
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), answer);
  assert.deepEqual([ended, closed], [1, 0], "it ends with its answer and is not cut off");
});

Deno.test("SingleExchange becomes a stream when something is told before the answer", async () => {
  const one = exchange();
  one.deliver(request);
  await one.send(progress, { relatedRequestId: 1 });
  const response = await one.response;
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  await one.send(answer);
  const frames = [progress, answer].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`);
  assert.equal(await response.text(), frames.join(""));
});

Deno.test("SingleExchange opened as a stream says that it is alive while nothing happens", async () => {
  const one = exchange({ stream: true, keepAliveMs: 5 });
  one.deliver(request);
  const reader = (await one.response).body?.getReader();
  const first = await reader?.read();
  assert.equal(new TextDecoder().decode(first?.value), ": keepalive\n\n");
  await one.send(answer);
  reader?.releaseLock();
  await one.close();
});

Deno.test("SingleExchange takes no answer to another request, and none after the end", async () => {
  const one = exchange();
  one.deliver(request);
  await one.send({ ...answer, id: 2 });
  await one.send(progress, { relatedRequestId: 2 });
  await one.send(progress);
  await one.send(answer);
  const late = { ...answer, result: { late: true } };
  await one.send(late);
  assert.deepEqual(await (await one.response).json(), answer);
});

Deno.test("SingleExchange closes when the caller leaves, before, during and as a stream", async () => {
  const control = new AbortController();
  const before = exchange({ signal: control.signal });
  let delivered = 0;
  let closed = 0;
  let ended = 0;
  before.onmessage = () => delivered++;
  before.onclose = () => closed++;
  before.onend = () => ended++;
  control.abort();
  assert.equal((await before.response).status, 499);
  before.deliver(request);
  assert.deepEqual([delivered, closed, ended], [0, 1, 1]);
  const already = exchange({ signal: control.signal });
  already.onclose = () => closed++;
  already.onmessage = () => delivered++;
  already.deliver(request);
  assert.equal((await already.response).status, 499);
  assert.deepEqual([delivered, closed], [0, 2], "whoever waits for its end is told of that one too");

  const stream = exchange({ stream: true });
  stream.onclose = () => closed++;
  stream.deliver(request);
  const response = await stream.response;
  await response.body?.cancel();
  assert.equal(closed, 3);
  await stream.send(answer);
});
