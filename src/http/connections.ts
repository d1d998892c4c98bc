/**
 * The open connections: a cap that idle ones make room under, and a limit on requests piled up on one of them.
 *
 * A server that runs out of file descriptors stops accepting for ever, so the cap lies well below that limit. At
 * the cap the connection that has been idle longest is closed for the newcomer; when none is idle, the one whose
 * other end has been longest in not taking its answers; when there is none of those either, the newcomer goes.
 */

/** Answers that are not taken within so many milliseconds may be cut off for a newcomer. */
const takingMs = 2000;

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
  opened(socket: Socket): void;
  /** False when this connection already has too many requests in hand; it is closed then. */
  began(socket: Socket): boolean;
  /** The answer is there: from now on only the other end can hold the request up. At most once a request. */
  answered(socket: Socket): void;
  /** The answer is out, or the connection gone. `wasAnswered`: whether `answered()` was told of this request. */
  ended(socket: Socket, wasAnswered: boolean): void;
  /** Requests begun on this connection so far. */
  requestsOn(socket: Socket): number;
  readonly size: number;
  readonly busy: number;
  closeIdle(): void;
  closeAll(): void;
}

interface State {
  inHand: number;
  /** Of those in hand the ones that are still being worked on here. */
  working: number;
  begun: number;
  /** Since when there has been something in hand without a break. */
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

  function longestStuck(): Socket | null {
    let stuck: Socket | null = null;
    let since = options.now() - takingMs;
    for (const [socket, state] of open) {
      if (state.working > 0 || state.busySince > since) continue;
      stuck = socket;
      since = state.busySince;
    }
    return stuck;
  }

  function makeRoom(): boolean {
    let leaving: Socket | null = null;
    for (const [socket, state] of open) {
      if (state.inHand > 0) continue;
      leaving = socket;
      break;
    }
    leaving ??= longestStuck();
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
        return;
      }
      open.set(socket, { inHand: 0, working: 0, begun: 0, busySince: 0 });
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
    answered(socket) {
      const state = open.get(socket);
      if (state !== undefined) state.working -= 1;
    },
    ended(socket, wasAnswered) {
      busy -= 1;
      const state = open.get(socket);
      if (state === undefined) return;
      state.inHand -= 1;
      if (!wasAnswered) state.working -= 1;
      touch(socket, state);
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
