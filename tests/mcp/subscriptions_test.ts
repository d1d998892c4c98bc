/** `subscriptions/listen` through the whole product: who is told of what, how much waits, and how it ends. */

import assert from "node:assert/strict";
import type { TokenSetting } from "../../src/config/config.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { type InProcessApp, token, withApp, withProgram } from "../support/app.ts";
import { callOf } from "../bench/calls.ts";
import { until } from "../support/step_clock.ts";
import { cites } from "../requirements.ts";

const base = "http://127.0.0.1:8787";

interface Told {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One open subscription; `told` grows as it is read. */
class Subscription {
  readonly told: Told[] = [];
  readonly response: Response;
  readonly #stop: AbortController;
  isOver = false;
  readonly reading: Promise<void>;

  constructor(response: Response, stop: AbortController) {
    this.response = response;
    this.#stop = stop;
    this.reading = this.#read().catch(() => {}).finally(() => this.isOver = true);
  }

  async #read(): Promise<void> {
    let text = "";
    assert(this.response.body !== null);
    for await (const piece of this.response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) this.told.push(JSON.parse(data));
      }
    }
  }

  /** Addresses of pages that were told to have changed, and `list` for the list. */
  get changes(): string[] {
    return this.told.flatMap(({ method, params }) =>
      method === "notifications/resources/updated"
        ? [String(params?.["uri"])]
        : method === "notifications/resources/list_changed"
        ? ["list"]
        : []
    );
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.reading;
  }
}

function listenRequest(url: string, notifications: unknown, who: string, signal?: AbortSignal): Request {
  const { headers, body } = callOf("2026", { method: "subscriptions/listen", params: { notifications } });
  return new Request(`${url}/mcp`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${who}` },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}

async function listen(app: InProcessApp, notifications: unknown, who = token): Promise<Subscription> {
  const stop = new AbortController();
  return new Subscription(await app.fetch(listenRequest(base, notifications, who, stop.signal)), stop);
}

async function complete(app: InProcessApp, who = token): Promise<void> {
  await until(async () => {
    const { headers, body } = callOf("2026", {
      method: "tools/call",
      params: { name: "search_pages", arguments: { query: "x" } },
    });
    const request = new Request(`${base}/mcp`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${who}` },
      body,
    });
    const { result } = await (await app.fetch(request)).json();
    return JSON.parse(result.content[0].text).searched?.complete === true;
  });
}

function named(name: string, read: readonly string[]): TokenSetting {
  return {
    name,
    hash: sha256Hex(`secret-${name}`),
    rights: { read, write: read },
    roots: "all",
    profile: null,
    silverbulletToken: null,
  };
}

const wait = { most: 100_000, what: "Nothing was told" };

Deno.test("a subscriber is told of a page that changed, under the address it gave, and of pages that come and go", async () => {
  cites("find.subscriptions");
  await withApp({ space: { files: { "My Page.md": "one", "B.md": "two" } } }, async (app) => {
    await complete(app);
    const uris = ["silverbullet://page/My%20Page", "silverbullet://page/My Page.md?format=json"];
    const open = await listen(app, { resourcesListChanged: true, resourceSubscriptions: uris });
    await until(() => open.told.length > 0, wait);
    assert.equal(open.told[0]?.method, "notifications/subscriptions/acknowledged");
    app.space.files.put("B.md", "nobody asked for this one");
    app.space.files.put("My Page.md", "changed");
    await until(() => open.changes.length >= 2, wait);
    assert.deepEqual(open.changes.toSorted(), uris.toSorted());
    app.space.files.put("New.md", "new");
    await until(() => open.changes.includes("list"), wait);
    await open.close();
  });
});

Deno.test("a subscriber is told nothing of what it may not read, hidden pages least of all", async () => {
  cites("find.rights");
  const files = { "Public/A.md": "a", "Secret/S.md": "s", "Hidden/H.md": "h" };
  await withApp({
    space: { files },
    env: { SILVERBRIDGE_HIDDEN_PATHS: "Hidden/**" },
    configure: (config) => ({ ...config, tokens: [...config.tokens, named("guest", ["Public/**"])] }),
  }, async (app) => {
    await complete(app);
    const uris = ["Public/A", "Secret/S", "Hidden/H"].map((page) => `silverbullet://page/${page}`);
    const filter = { resourcesListChanged: true, resourceSubscriptions: uris };
    const guest = await listen(app, filter, "secret-guest");
    const owner = await listen(app, filter);
    for (const path of ["Hidden/H.md", "Hidden/New.md", "Secret/S.md", "Secret/New.md"]) {
      app.space.files.put(path, `changed ${path}`);
    }
    await until(() => owner.changes.length >= 2, wait);
    assert.deepEqual(owner.changes.toSorted(), ["list", "silverbullet://page/Secret/S"]);
    app.space.files.put("Public/A.md", "changed");
    await until(() => guest.changes.length > 0, wait);
    assert.deepEqual(guest.changes, ["silverbullet://page/Public/A"]);
    await Promise.all([guest.close(), owner.close()]);
  });
});

Deno.test("what is told to a reader that does not read stays little, and what it then reads is current", async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, page) => [`P${page}.md`, "x"]));
  await withApp({ space: { files } }, async (app) => {
    await complete(app);
    const stop = new AbortController();
    const uris = Object.keys(files).map((path) => `silverbullet://page/${path}`);
    const response = await app.fetch(
      listenRequest(base, { resourceSubscriptions: uris }, token, stop.signal),
    );
    const control = await listen(app, { resourceSubscriptions: uris });
    for (let round = 0; round < 5; round++) {
      for (const path of Object.keys(files)) app.space.files.put(path, `round ${round}`);
      await until(() => control.changes.length >= (round + 1) * 100, wait);
    }
    const late = new Subscription(response, stop);
    await until(() => new Set(late.changes).size === 120, wait);
    assert(late.changes.length < 250, `${late.changes.length} of ${control.changes.length} were kept`);
    await Promise.all([late.close(), control.close()]);
  });
});

Deno.test("one caller cannot take all subscriptions, nor subscribe to everything at once", async () => {
  await withApp({ space: { files: { "A.md": "x" } } }, async (app) => {
    await complete(app);
    const filter = { resourceSubscriptions: ["silverbullet://page/A"] };
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(app, filter)));
    const streams = open.filter(({ response }) =>
      response.headers.get("content-type") === "text/event-stream"
    );
    assert.equal(streams.length, 16);
    await Promise.all(streams.slice(0, 3).map((stream) => stream.close()));
    const again = await listen(app, filter);
    assert.equal(again.response.headers.get("content-type"), "text/event-stream");
    const uris = Array.from({ length: 300 }, (_, page) => `silverbullet://page/P${page}`);
    const answer = await (await app.fetch(listenRequest(base, { resourceSubscriptions: uris }, token)))
      .json();
    assert.equal(answer.error.code, -32602);
    await Promise.all([again, ...streams].map((stream) => stream.close()));
  });
});

Deno.test("hostile subscriptions are refused or tell nothing", async () => {
  await withApp({ space: { files: { "A.md": "x" } } }, async (app) => {
    await complete(app);
    const odd = [
      "",
      "silverbullet://page/",
      "silverbullet://page/../../etc/passwd",
      "file:///etc/passwd",
      "\u0000",
    ];
    const open = await listen(app, { resourceSubscriptions: odd });
    await until(() => open.told.length > 0, wait);
    assert.equal(open.told[0]?.method, "notifications/subscriptions/acknowledged");
    await open.close();
    for (const filter of [null, "all", { resourceSubscriptions: "A" }, { resourceSubscriptions: [1, {}] }]) {
      const answer = await (await app.fetch(listenRequest(base, filter, token))).json();
      assert(answer.error !== undefined, JSON.stringify(filter));
    }
    const stranger = await app.fetch(listenRequest(base, { resourcesListChanged: true }, "nobody"));
    assert.equal(stranger.status, 401);
    await stranger.body?.cancel();
  });
});

Deno.test("older clients are offered no subscriptions, newer ones are", async () => {
  await withApp({ space: { files: { "A.md": "x" } } }, async (app) => {
    const { headers, body } = callOf("2026", { method: "server/discover" });
    const modern = await (await app.fetch(new Request(`${base}/mcp`, { method: "POST", headers, body })))
      .json();
    assert.deepEqual(modern.result.capabilities.resources, { subscribe: true, listChanged: true });
    const hello = callOf("2025", {
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
    });
    const old = await (await app.fetch(new Request(`${base}/mcp`, { method: "POST", ...hello }))).json();
    assert.deepEqual(old.result.capabilities.resources, {});
  });
});

Deno.test("a running server that stops ends its subscriptions with their result", async () => {
  await withProgram({ space: { files: { "A.md": "x" } } }, async (program) => {
    const stop = new AbortController();
    const request = listenRequest(program.url, { resourcesListChanged: true }, token, stop.signal);
    const open = new Subscription(await fetch(request), stop);
    await until(() => open.told.length > 0, wait);
    program.kill("SIGTERM");
    const { code, log } = await program.ended();
    assert.equal(code, 0);
    assert.match(log, /"event":"stopped","finished":true/, "a subscription is no work that is waited for");
    await open.reading;
    assert.equal(open.told.at(-1)?.result?.["resultType"], "complete");
  });
});
