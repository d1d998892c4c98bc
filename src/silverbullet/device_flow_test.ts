import assert from "node:assert/strict";
import type { Clock } from "../core/clock.ts";
import { awaitDeviceToken, beginDeviceFlow, type DeviceFlowOptions, hasDeviceFlow } from "./device_flow.ts";
import { generations } from "./embedded/generations.ts";
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./embedded/server.ts";

/** Time that passes as soon as somebody waits for it; `onSleep` is told how long. */
function quickClock(onSleep: (ms: number) => void = () => {}): Clock {
  let elapsed = 0;
  return {
    now: () => 1_800_000_000_000 + elapsed,
    elapsed: () => elapsed,
    sleep: (ms) => {
      elapsed += ms;
      onSleep(ms);
      return Promise.resolve();
    },
  };
}

async function withServer(
  options: EmbeddedOptions,
  work: (server: EmbeddedServer, flow: DeviceFlowOptions) => Promise<void>,
  onSleep?: (ms: number) => void,
): Promise<void> {
  const clock = quickClock(onSleep);
  const server = await startEmbedded({ user: "ada:secret", token: "t".repeat(32), ...options, clock });
  try {
    await work(server, { url: server.url, fetch, clock });
  } finally {
    await server.close();
  }
}

Deno.test("hasDeviceFlow() is true for servers from 2.11 on where somebody signs in, and begins nothing", async () => {
  for (const generation of generations) {
    await withServer({ generation }, async (server, flow) => {
      assert.equal(await hasDeviceFlow(flow), ["2.11", "2.12", "edge"].includes(generation), generation);
      assert.deepEqual(server.devices?.waiting ?? [], []);
    });
  }
  const open = await startEmbedded({ generation: "2.12" });
  assert.equal(await hasDeviceFlow({ url: open.url, fetch, clock: quickClock() }), false);
  await open.close();
});

Deno.test("the device flow gives a token that opens the space, also below a path prefix", async () => {
  for (const prefix of ["", "/my/notes"]) {
    const waits: number[] = [];
    let settle = () => {};
    await withServer({ prefix, files: { "A.md": "a" } }, async (server, flow) => {
      const code = await beginDeviceFlow(flow, "silverbridge");
      assert.ok(typeof code === "object", String(code));
      assert.match(code.userCode, /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
      assert.equal(code.page, `${server.url}/.auth/device?user_code=${code.userCode}`);
      assert.deepEqual(server.devices?.waiting.map(({ deviceName }) => deviceName), ["silverbridge"]);
      settle = () => void (waits.length === 3 && server.devices?.settle(code.userCode, "approved"));
      const outcome = await awaitDeviceToken(flow, code);
      assert.ok(outcome.kind === "token");
      assert.equal(outcome.username, "ada");
      const headers = { authorization: `Bearer ${outcome.token}`, "x-sync-mode": "true" };
      const listed = await fetch(`${server.url}/.fs`, { headers });
      assert.equal(listed.status, 200);
      await listed.body?.cancel();
      const other = await fetch(`${server.url}/.fs`, { headers: { authorization: "Bearer x.y.z" } });
      assert.equal(other.status, 401);
      await other.body?.cancel();
    }, (ms) => {
      waits.push(ms);
      settle();
    });
    assert.deepEqual(waits, [5000, 5000, 5000]);
  }
});

Deno.test("the device flow tells of a person who says no, and of a code that ran out", async () => {
  await withServer({}, async (server, flow) => {
    const code = await beginDeviceFlow(flow, "silverbridge");
    assert.ok(typeof code === "object");
    server.devices?.settle(code.userCode, "denied");
    assert.deepEqual(await awaitDeviceToken(flow, code), { kind: "failed", reason: "denied" });
    const second = await beginDeviceFlow(flow, "silverbridge");
    assert.ok(typeof second === "object");
    assert.deepEqual(await awaitDeviceToken(flow, second), { kind: "failed", reason: "expired" });
    assert.equal(await beginDeviceFlow(flow, "ü".repeat(101)), "unsupported", "a name of over 200 bytes");
  });
});

const good = {
  device_code: "d".repeat(40),
  user_code: "ABCD-EFGH",
  verification_uri_complete: "https://notes.example/sub/.auth/device?user_code=ABCD-EFGH",
  expires_in: 300,
  interval: 5,
};

function lying(answers: readonly (() => Response)[]): DeviceFlowOptions {
  let count = 0;
  const answer = () => (answers[Math.min(count++, answers.length - 1)] ?? answers[0])?.() ?? new Response();
  return { url: "https://notes.example/sub", fetch: async () => answer(), clock: quickClock() };
}

Deno.test("beginDeviceFlow() shows no link that leads elsewhere, and nothing that is no code", async () => {
  const pages = [
    "https://evil.example/sub/.auth/device?user_code=ABCD-EFGH",
    "http://notes.example/sub/.auth/device",
    "https://notes.example:444/sub/.auth/device",
    "https://notes.example/.auth/device",
    "https://notes.example/sub/.auth/device/../../../evil",
    "https://user:pw@notes.example/sub/.auth/device",
    "javascript:alert(1)",
    "/sub/.auth/device",
    7,
    null,
  ];
  for (const page of pages) {
    const answer = () => Response.json({ ...good, verification_uri_complete: page });
    assert.equal(await beginDeviceFlow(lying([answer]), "s"), "dishonest", String(page));
  }
  for (const user_code of ["ABCD", "abcd-efgh", "ABCD-EFGH\u001b[2J", 7, undefined]) {
    assert.equal(
      await beginDeviceFlow(lying([() => Response.json({ ...good, user_code })]), "s"),
      "dishonest",
    );
  }
  for (const device_code of ["", "a b", "x".repeat(9000), null]) {
    assert.equal(
      await beginDeviceFlow(lying([() => Response.json({ ...good, device_code })]), "s"),
      "dishonest",
    );
  }
  const html = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  assert.equal(await beginDeviceFlow(lying([html]), "s"), "dishonest");
  assert.equal(await hasDeviceFlow(lying([html])), false);
  assert.equal(await hasDeviceFlow(lying([() => Response.redirect("https://evil.example/", 307)])), false);
  assert.equal(await beginDeviceFlow(lying([() => new Response(null, { status: 429 })]), "s"), "busy");
  const huge = () => new Response(`{"device_code":"${"x".repeat(100_000)}"}`);
  assert.equal(await beginDeviceFlow(lying([huge]), "s"), "dishonest");
  const code = await beginDeviceFlow(
    lying([() => Response.json({ ...good, interval: 1e9, expires_in: -5 })]),
    "s",
  );
  assert.ok(typeof code === "object");
  assert.deepEqual([code.intervalSeconds, code.lifeSeconds], [60, 1]);
});

Deno.test("nothing is asked of a server over http beyond loopback", async () => {
  let asked = 0;
  const fetch = async () => {
    asked++;
    return Response.json({ error: "unauthorized_client" }, { status: 400 });
  };
  const flow = { url: "http://notes.example", fetch, clock: quickClock() };
  assert.equal(await hasDeviceFlow(flow), false);
  assert.equal(await beginDeviceFlow(flow, "s"), "unsupported");
  assert.equal(asked, 0);
});

Deno.test("awaitDeviceToken() slows down when asked to, outlives short silences, and takes no token that is none", async () => {
  const code = { userCode: "A", page: "x", deviceCode: "d", intervalSeconds: 5, lifeSeconds: 300 };
  const refuse = (error: string) => () => Response.json({ error }, { status: 400 });
  const waits: number[] = [];
  const slow = lying([
    refuse("slow_down"),
    refuse("slow_down"),
    () => Response.json({ access_token: "a.b.c" }),
  ]);
  const outcome = await awaitDeviceToken({ ...slow, clock: quickClock((ms) => waits.push(ms)) }, code);
  assert.deepEqual(outcome, {
    ...{ kind: "token", token: "a.b.c", username: null },
    ...{ refreshToken: null, lifeSeconds: 3600 },
  });
  assert.deepEqual(waits, [5000, 10_000, 15_000]);
  const down = () => new Response(null, { status: 502 });
  const back = lying([down, down, down, down, () => Response.json({ access_token: "a.b.c" })]);
  assert.equal((await awaitDeviceToken(back, code)).kind, "token");
  assert.deepEqual(await awaitDeviceToken(lying([down]), code), { kind: "failed", reason: "unreachable" });
  for (const access_token of ["a\nb", "", "x".repeat(9000), 5, null]) {
    const lie = lying([() => Response.json({ access_token })]);
    assert.deepEqual(await awaitDeviceToken(lie, code), { kind: "failed", reason: "dishonest" });
  }
  assert.deepEqual(await awaitDeviceToken(lying([refuse("nonsense")]), code), {
    kind: "failed",
    reason: "dishonest",
  });
});
