/**
 * The open connections: a cap that idle ones make room under, and a limit on requests piled up on one of them.
 *
 * A server that runs out of file descriptors stops accepting for ever, so the cap lies well below that limit. At
 * the cap the connection that has been idle longest is closed for the newcomer; when none is idle the newcomer goes.
 */

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
  readonly onFull: () => void;
  readonly onAlarm: () => void;
}

export interface Connections<Socket extends Connection> {
  opened(socket: Socket): void;
  /** False when this connection already has too many requests in hand; it is closed then. */
  began(socket: Socket): boolean;
  ended(socket: Socket): void;
  /** Requests begun on this connection so far. */
  requestsOn(socket: Socket): number;
  readonly size: number;
  readonly busy: number;
  closeIdle(): void;
  closeAll(): void;
}

interface State {
  inHand: number;
  begun: number;
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

  function makeRoom(): boolean {
    for (const [socket, state] of open) {
      if (state.inHand > 0) continue;
      open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
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
      open.set(socket, { inHand: 0, begun: 0 });
    },
    began(socket) {
      const state = open.get(socket);
      if (state === undefined) return false;
      if (state.inHand >= options.maxPerConnection) {
        socket.destroy();
        return false;
      }
      state.inHand += 1;
      state.begun += 1;
      busy += 1;
      return true;
    },
    ended(socket) {
      busy -= 1;
      const state = open.get(socket);
      if (state === undefined) return;
      state.inHand -= 1;
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
