/**
 * The open connections: a cap that idle ones make room under, and a limit on requests piled up on one of them.
 *
 * A server that runs out of file descriptors stops accepting for ever, so the cap lies well below that limit. At
 * the cap the connection that has been idle longest is closed for the newcomer; when none is idle, the one whose
 * other end has kept us waiting longest; when there is none of those either, the newcomer goes. Whoever keeps us
 * waiting beyond reason goes before those that are idle, since nobody honest does.
 */

/** What the other end does not send or take within so many milliseconds may be cut off for a newcomer. */
const waitingMs = 2000;
const beyondReasonMs = 15_000;

/** What this file needs of a `node:net` socket. */
export interface Connection {
  destroy(): void;
  on(event: "close", listener: () => void): unknown;
}

export interface ConnectionsOptions {
  readonly max: number;
  /** So many not yet closed, although closing may be under way: told to `onAlarm`. Well above `max`. */
  readonly alarmAt: number;
  /** Requests that one connection may have in hand at the same time (pipelining). */
  readonly maxPerConnection: number;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  readonly onFull: () => void;
  readonly onAlarm: () => void;
}

export interface Connections<Socket extends Connection> {
  /** False when there was no room for it; it is closed then. */
  opened(socket: Socket): boolean;
  /** False when this connection already has too many requests in hand; it is closed then. */
  began(socket: Socket): boolean;
  /** From now on only the other end holds a request up: it has the body to send, or the answer to take. */
  waits(socket: Socket): void;
  /** The same in the middle of an answer: what it took until now was taken in time. */
  stalls(socket: Socket): void;
  /** It is up to us again. */
  works(socket: Socket): void;
  /** The answer is out, or the connection gone. `waiting`: whether the other end held it up to the last. */
  ended(socket: Socket, waiting: boolean): void;
  /** Requests begun on this connection so far. */
  requestsOn(socket: Socket): number;
  readonly size: number;
  readonly busy: number;
  /** Closes the one that has not taken its answers, or sent its body, for longest, where that is too long. */
  cutLongestStuck(): void;
  closeIdle(): void;
  closeAll(): void;
}

interface State {
  inHand: number;
  /** Of those in hand the ones that are still being worked on here. */
  working: number;
  begun: number;
  /** Since when there has been something in hand without a break, or since a stream last went on. */
  busySince: number;
}

export function createConnections<Socket extends Connection>(
  options: ConnectionsOptions,
): Connections<Socket> {
  /** In the order of last use, longest ago first. */
  const open = new Map<Socket, State>();
  let busy = 0;
  /** Accepted and not yet closed; a destroyed socket holds its descriptor for a moment longer. */
  let alive = 0;

  function touch(socket: Socket, state: State): void {
    open.delete(socket);
    open.set(socket, state);
  }

  function longestStuck(ms: number): Socket | null {
    let stuck: Socket | null = null;
    let since = options.now() - ms;
    for (const [socket, state] of open) {
      if (state.inHand === 0 || state.working > 0 || state.busySince > since) continue;
      stuck = socket;
      since = state.busySince;
    }
    return stuck;
  }

  function longestIdle(): Socket | null {
    for (const [socket, state] of open) if (state.inHand === 0) return socket;
    return null;
  }

  function makeRoom(): boolean {
    const leaving = longestStuck(beyondReasonMs) ?? longestIdle() ?? longestStuck(waitingMs);
    if (leaving === null) return false;
    open.delete(leaving);
    leaving.destroy();
    return true;
  }

  return {
    opened(socket) {
      if (++alive >= options.alarmAt) options.onAlarm();
      socket.on("close", () => {
        alive -= 1;
        open.delete(socket);
      });
      if (open.size >= options.max && !makeRoom()) {
        options.onFull();
        socket.destroy();
        return false;
      }
      open.set(socket, { inHand: 0, working: 0, begun: 0, busySince: 0 });
      return true;
    },
    began(socket) {
      const state = open.get(socket);
      if (state === undefined) return false;
      if (state.inHand >= options.maxPerConnection) {
        socket.destroy();
        return false;
      }
      if (state.inHand === 0) state.busySince = options.now();
      state.inHand += 1;
      state.working += 1;
      state.begun += 1;
      busy += 1;
      return true;
    },
    waits(socket) {
      const state = open.get(socket);
      if (state !== undefined) state.working -= 1;
    },
    stalls(socket) {
      const state = open.get(socket);
      if (state === undefined) return;
      state.working -= 1;
      state.busySince = options.now();
    },
    works(socket) {
      const state = open.get(socket);
      if (state !== undefined) state.working += 1;
    },
    ended(socket, waiting) {
      busy -= 1;
      const state = open.get(socket);
      if (state === undefined) return;
      state.inHand -= 1;
      if (!waiting) state.working -= 1;
      touch(socket, state);
    },
    cutLongestStuck() {
      const stuck = longestStuck(waitingMs);
      if (stuck === null) return;
      open.delete(stuck);
      stuck.destroy();
    },
    requestsOn: (socket) => open.get(socket)?.begun ?? 0,
    get size() {
      return open.size;
    },
    get busy() {
      return busy;
    },
    closeIdle() {
      for (const [socket, state] of open) if (state.inHand === 0) socket.destroy();
    },
    closeAll() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
