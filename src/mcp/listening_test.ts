import assert from "node:assert/strict";
import { StepClock, turns } from "../../tests/support/step_clock.ts";
import { principal } from "../../tests/support/mcp_endpoint.ts";
import type { News } from "../notes/feed/change_news.ts";
import type { ListenBus } from "./listen_bus.ts";
import { createListening, type ListenHandler } from "./listening.ts";
import type { RpcMessage } from "./message.ts";
import { RpcFault } from "./rpc.ts";

const call = {
  principal: principal(),
  caller: { client: null },
  requestId: "r",
  signal: new AbortController().signal,
};

function message(uris: readonly string[] = []): RpcMessage {
  const notifications = { resourcesListChanged: true, resourceSubscriptions: uris };
  return { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { notifications } };
}

/** A handler whose stream holds what the bus tells, and ends when it is closed. */
function fakeHandler(bus: ListenBus, closed: () => void): ListenHandler {
  let finish = () => {};
  return {
    fetch() {
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          const stop = bus.subscribe((event) =>
            controller.enqueue(new TextEncoder().encode(`${event.kind}\n`))
          );
          finish = () => {
            stop();
            try {
              controller.close();
            } catch {
              // Its reader is gone, as with the library.
            }
          };
        },
      });
      return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    },
    close() {
      closed();
      finish();
      return Promise.resolve();
    },
  };
}

function harness(watch?: (told: (news: readonly News[]) => void) => Promise<() => void>) {
  const clock = new StepClock();
  const seen = { closed: 0, unwatched: 0, told: null as ((news: readonly News[]) => void) | null };
  const listening = createListening({
    handlerOver: (bus) => fakeHandler(bus, () => seen.closed++),
    watch: (_, told) => {
      if (watch !== undefined) return watch(told);
      seen.told = told;
      return Promise.resolve(() => void seen.unwatched++);
    },
    clock,
  });
  const listen = (uris: readonly string[] = []) =>
    listening.serve(new Request("http://x/mcp", { method: "POST" }), message(uris), call);
  return { clock, seen, listening, listen };
}

Deno.test("a subscription ends by itself after a quarter of an hour, so that ended rights do not last", async () => {
  const { clock, seen, listen } = harness();
  const text = (await listen()).text();
  await clock.advance(14 * 60_000);
  assert.equal(seen.closed, 0);
  await clock.advance(60_000);
  assert.deepEqual([seen.closed, seen.unwatched], [1, 1]);
  assert.equal(await text, "");
});

Deno.test("what changes within a moment is told once", async () => {
  const { clock, seen, listen } = harness();
  const response = await listen(["silverbullet://page/A"]);
  const reader = response.body?.getReader();
  const pieces: string[] = [];
  const reading = (async () => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      pieces.push(new TextDecoder().decode(piece.value));
    }
  })();
  for (let change = 0; change < 50; change++) seen.told?.([{ kind: "changed", path: "A.md" }]);
  seen.told?.([{ kind: "created", path: "B.md" }, { kind: "deleted", path: "C.md" }]);
  await clock.advance(200);
  assert.deepEqual(pieces, ["resource_updated\n", "resources_list_changed\n"]);
  await reader?.cancel();
  await reading;
  assert.deepEqual([seen.closed, seen.unwatched], [1, 1], "who goes away leaves nothing behind");
});

Deno.test("many at once do not pass the limit together", async () => {
  const held = Promise.withResolvers<void>();
  const { listen, listening } = harness(async () => {
    await held.promise;
    return () => {};
  });
  const asked = Array.from({ length: 40 }, () => listen());
  await turns();
  held.resolve();
  const answers = await Promise.all(asked);
  const types = answers.map(({ headers }) => headers.get("content-type"));
  assert.equal(types.filter((type) => type === "text/event-stream").length, 16);
  await listening.close();
  assert.equal((await listen()).status, 503, "a stopping server takes no more");
});

Deno.test("a caller of whom nothing can be known is told why, and nothing stays open", async () => {
  const { listen, seen } = harness(() =>
    Promise.reject(new RpcFault(-32000, "SilverBullet does not answer"))
  );
  const { error } = await (await listen()).json();
  assert.deepEqual([error.code, error.message], [-32000, "SilverBullet does not answer"]);
  assert.equal(seen.closed, 1);
});
