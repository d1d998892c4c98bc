import assert from "node:assert/strict";
import { createConnections } from "./connections.ts";

class FakeSocket {
  destroyed = false;
  /** Closing takes a moment, as with real sockets. */
  slow = false;
  #onClose: (() => void) | null = null;
  on(_event: "close", listener: () => void): void {
    this.#onClose = listener;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    if (!this.slow) this.#onClose?.();
  }
}

function table(max: number, maxPerConnection = 2) {
  const full = { times: 0, alarms: 0, now: 0 };
  const connections = createConnections<FakeSocket>({
    max,
    alarmAt: max + 2,
    maxPerConnection,
    now: () => full.now,
    onFull: () => full.times++,
    onAlarm: () => full.alarms++,
  });
  const open = (count: number, slow = false) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket();
      socket.slow = slow;
      connections.opened(socket);
      return socket;
    });
  return { connections, open, full };
}

Deno.test("at the cap the connection idle longest makes room", () => {
  const { connections, open, full } = table(3);
  const [a, b, c] = open(3) as [FakeSocket, FakeSocket, FakeSocket];
  connections.began(a);
  connections.ended(a, false);
  const [d] = open(1) as [FakeSocket];
  assert.deepEqual([a, b, c, d].map((socket) => socket.destroyed), [false, true, false, false]);
  assert.equal(connections.size, 3);
  assert.equal(full.times, 0);
});

Deno.test("a connection with a request in hand is never closed for another; the newcomer goes", () => {
  const { connections, open, full } = table(2);
  const [a, b] = open(2) as [FakeSocket, FakeSocket];
  connections.began(a);
  connections.began(b);
  const [c] = open(1) as [FakeSocket];
  assert.deepEqual([a.destroyed, b.destroyed, c.destroyed], [false, false, true]);
  assert.equal(full.times, 1);
  assert.equal(connections.began(c), false, "what was refused gets nothing served");
  connections.ended(a, false);
  const [d] = open(1) as [FakeSocket];
  assert.deepEqual([a.destroyed, d.destroyed], [true, false]);
});

Deno.test("at the cap, where none is idle, the connection that takes no answers for longest makes room", () => {
  const { connections, open, full } = table(3);
  const [a, b, c] = open(3) as [FakeSocket, FakeSocket, FakeSocket];
  for (const socket of [c, a, b]) {
    connections.began(socket);
    full.now += 10;
  }
  connections.waits(a);
  connections.waits(b);
  full.now = 2005;
  const [early] = open(1) as [FakeSocket];
  assert.deepEqual([a, b, c, early].map((socket) => socket.destroyed), [false, false, false, true]);
  full.now = 2025;
  const [d] = open(1) as [FakeSocket];
  assert.deepEqual([a, b, c, d].map((socket) => socket.destroyed), [true, false, false, false]);
  const [e] = open(1) as [FakeSocket];
  assert.deepEqual(
    [b, c, d, e].map((socket) => socket.destroyed),
    [false, false, true, false],
    "idle ones go first",
  );
  connections.ended(a, true);
  connections.began(b);
  connections.began(e);
  full.now = 9000;
  open(1);
  assert.deepEqual([b, c, e].map((socket) => socket.destroyed), [false, false, false], "all are worked for");
  connections.ended(b, false);
  open(1);
  assert.deepEqual([b, c, e].map((socket) => socket.destroyed), [true, false, false]);
});

Deno.test("a connection that keeps us waiting beyond reason goes before those that are idle", () => {
  const { connections, open, full } = table(2);
  const [a, b] = open(2) as [FakeSocket, FakeSocket];
  connections.began(a);
  connections.waits(a);
  full.now = 15_000;
  open(1);
  assert.deepEqual([a.destroyed, b.destroyed], [true, false]);
});

Deno.test("for room for answers the one stuck longest is cut off, and nobody who is not stuck for long", () => {
  const { connections, open, full } = table(9);
  const [a, b, c] = open(3) as [FakeSocket, FakeSocket, FakeSocket];
  for (const socket of [a, b, c]) {
    connections.began(socket);
    full.now += 10;
  }
  connections.waits(b);
  full.now = 2009;
  connections.cutLongestStuck();
  assert.deepEqual([a, b, c].map((socket) => socket.destroyed), [false, false, false]);
  connections.waits(a);
  full.now = 2500;
  connections.cutLongestStuck();
  assert.deepEqual([a, b, c].map((socket) => socket.destroyed), [true, false, false]);
  connections.cutLongestStuck();
  connections.cutLongestStuck();
  assert.deepEqual([a, b, c].map((socket) => socket.destroyed), [true, true, false], "one is worked for");
});

Deno.test("a stream is stuck only from when it last went on", () => {
  const { connections, open, full } = table(9);
  const [a] = open(1) as [FakeSocket];
  connections.began(a);
  full.now = 600_000;
  connections.stalls(a);
  full.now += 1999;
  connections.cutLongestStuck();
  connections.works(a);
  full.now += 5000;
  connections.cutLongestStuck();
  assert.equal(a.destroyed, false, "it goes on");
  connections.stalls(a);
  full.now += 2000;
  connections.cutLongestStuck();
  assert.equal(a.destroyed, true);
});

Deno.test("a connection whose body has come is worked for again", () => {
  const { connections, open, full } = table(1);
  const [a] = open(1) as [FakeSocket];
  connections.began(a);
  connections.waits(a);
  connections.works(a);
  full.now = 5000;
  open(1);
  assert.equal(a.destroyed, false);
  connections.waits(a);
  open(1);
  assert.equal(a.destroyed, true);
});

Deno.test("requests piled up on one connection beyond the limit close it", () => {
  const { connections, open } = table(2, 2);
  const [a] = open(1) as [FakeSocket];
  assert.deepEqual([connections.began(a), connections.began(a)], [true, true]);
  assert.equal(connections.busy, 2);
  assert.equal(connections.began(a), false);
  assert.equal(a.destroyed, true);
  connections.ended(a, false);
  connections.ended(a, false);
  assert.equal(connections.busy, 0);
  assert.equal(connections.size, 0);
});

Deno.test("closeIdle() spares what has work in hand, closeAll() nothing", () => {
  const { connections, open } = table(5);
  const [a, b] = open(2) as [FakeSocket, FakeSocket];
  connections.began(a);
  connections.closeIdle();
  assert.deepEqual([a.destroyed, b.destroyed], [false, true]);
  connections.closeAll();
  assert.equal(a.destroyed, true);
});

Deno.test("connections that are closed but not yet gone count for the alarm", () => {
  const { open, full } = table(3);
  open(10);
  assert.equal(full.alarms, 0, "quick to close, never more than the cap and the newcomer");
  const slow = table(3);
  slow.open(4, true);
  assert.equal(slow.full.alarms, 0);
  slow.open(2, true);
  assert.equal(slow.full.alarms, 2);
});
