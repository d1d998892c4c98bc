/** Everything that the fence must refuse, and some things that it must allow, each as one attempt on one value. */

import { Buffer } from "node:buffer";
import { execFileSync, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import dns from "node:dns/promises";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

export type Attempt = (value: string) => unknown;

/** `allowed`, or the name of the error, or `refused` where a socket was refused instead of us. */
export async function outcomeOf(attempt: Attempt | undefined, value: string): Promise<string> {
  if (attempt === undefined) return "no such attempt";
  try {
    await attempt(value);
    return "allowed";
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    if (error instanceof Deno.errors.NotCapable) return "NotCapable";
    const cause = error.cause instanceof Error ? ` < ${error.cause.name}: ${error.cause.message}` : "";
    return `${error.name}: ${error.message}${cause}`;
  }
}

function connectNode(value: string): Promise<void> {
  const [host = "", port = ""] = value.split(" ");
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), host, () => {
      socket.destroy();
      resolve();
    });
    socket.on("error", reject);
  });
}

function requestNode(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, (response) => {
      response.resume();
      resolve();
    }).on("error", reject);
  });
}

function openWebSocket(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.onopen = () => {
      socket.close();
      resolve();
    };
    socket.onerror = (event) => reject(event instanceof ErrorEvent ? event.error ?? event.message : event);
  });
}

function listenNode(value: string): Promise<void> {
  const [host = "", port = ""] = value.split(" ");
  return orThrownByNobody((resolve, reject) => {
    const server = net.createServer().on("error", reject);
    server.listen(Number(port), host, () => server.close(() => resolve()));
  });
}

function sendDatagram(value: string): Promise<void> {
  const [host = "", port = ""] = value.split(" ");
  return orThrownByNobody((resolve, reject) => {
    const socket = createSocket("udp4").on("error", reject);
    socket.send(Buffer.from("x"), Number(port), host, (error) => {
      socket.close();
      error instanceof Error ? reject(error) : resolve();
    });
  });
}

/** Some refusals of `node:` sockets are thrown where nobody catches them, and are picked up from the worker itself. */
async function orThrownByNobody(
  work: (resolve: () => void, reject: (error: unknown) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onError = (event: ErrorEvent) => reject(event.error);
  self.addEventListener("error", onError);
  try {
    work(resolve, reject);
    await promise;
  } finally {
    self.removeEventListener("error", onError);
  }
}

async function importFile(path: string): Promise<void> {
  try {
    await import(path);
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("Requires read access")) {
      throw new Deno.errors.NotCapable(error.message);
    }
    throw error;
  }
}

async function fetchWhole(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3000) });
  await response.body?.cancel();
}

async function askFor(descriptor: Deno.PermissionDescriptor): Promise<void> {
  const { state } = await Deno.permissions.request(descriptor);
  if (state !== "granted") throw new Deno.errors.NotCapable(state);
}

function startWider(permissions: Deno.PermissionOptionsObject): void {
  const worker = new Worker("data:text/javascript,", { type: "module", deno: { permissions } });
  worker.terminate();
}

export const attempts: Readonly<Record<string, Attempt>> = {
  "read a file": (path) => Deno.readTextFile(path),
  "read a file at once": (path) => Deno.readFileSync(path),
  "read a file through node": (path) => fs.readFileSync(path),
  "open a file through node": (path) => fs.closeSync(fs.openSync(path, "r")),
  "stat a file": (path) => Deno.statSync(path),
  "list a folder": (path) => [...Deno.readDirSync(path)],
  "list a folder through node": (path) => fs.readdirSync(path),
  "fetch a file": (path) => fetch(`file://${path}`),
  "open a database": (path) => new DatabaseSync(path).close(),
  "attach a database": (path) => {
    const db = new DatabaseSync(":memory:");
    try {
      db.exec(`ATTACH '${path}' AS other`);
    } catch (error) {
      throw /too many attached|not authorized/i.test(String(error))
        ? new Deno.errors.NotCapable("attach")
        : error;
    } finally {
      db.close();
    }
  },
  "import a file": importFile,
  "write a file": (path) => Deno.writeTextFile(path, "x"),
  "write a file through node": (path) => fs.writeFileSync(path, "x"),
  "make a folder": (path) => Deno.mkdirSync(path),
  "make a temporary folder": () => Deno.makeTempDirSync(),
  "remove a file": (path) => Deno.removeSync(path),
  "make a symbolic link": (value) => Deno.symlinkSync(...pair(value)),
  "make a symbolic link through node": (value) => fs.symlinkSync(...pair(value)),
  "make a hard link": (value) => Deno.linkSync(...pair(value)),
  "rename a file": (value) => Deno.renameSync(...pair(value)),
  "copy a file": (value) => Deno.copyFileSync(...pair(value)),
  "fetch": fetchWhole,
  "connect": async (value) => {
    const [hostname = "", port = ""] = value.split(" ");
    (await Deno.connect({ hostname, port: Number(port) })).close();
  },
  "connect through node": connectNode,
  "request through node": requestNode,
  "open a websocket": openWebSocket,
  "resolve a name": (name) => Deno.resolveDns(name, "A"),
  "resolve a name through node": (name) => dns.lookup(name),
  "listen": (value) => {
    const [hostname = "", port = ""] = value.split(" ");
    Deno.listen({ hostname, port: Number(port) }).close();
  },
  "listen through node": listenNode,
  "listen on a unix socket": (path) => Deno.listen({ transport: "unix", path }).close(),
  "send a datagram": sendDatagram,
  "read a variable": (name) => Deno.env.get(name),
  "read every variable": () => Deno.env.toObject(),
  "read a variable through node": (name) => process.env[name],
  "run a program": (path) => new Deno.Command(path).outputSync(),
  "run a program through node": (path) => execFileSync(path),
  "run a program and look at it through node": (path) => {
    const { error } = spawnSync(path);
    if (error !== undefined) throw error;
  },
  "signal another process": (pid) => Deno.kill(Number(pid), "SIGCONT"),
  "load a library": (path) => Deno.dlopen(path, {}),
  "learn the host's name": () => Deno.hostname(),
  "learn the host's name through node": () => os.hostname(),
  "learn the network's addresses": () => Deno.networkInterfaces(),
  "ask for read": (path) => askFor({ name: "read", path }),
  "ask for all net": () => askFor({ name: "net" }),
  "ask for run": () => askFor({ name: "run" }),
  "start a worker that may read all": () => startWider({ read: true }),
  "start a worker that may run all": () => startWider({ run: true }),
  "start a worker that may reach": (host) => startWider({ net: [host] }),
  "spin for ever": () => {
    for (;;);
  },
  "throw where nobody catches": () => {
    setTimeout(() => {
      throw new Error("uncaught at /home/secret/place");
    }, 0);
  },
  "reject where nobody catches": () => {
    Promise.reject(new Error("unhandled at /home/secret/place"));
  },
  "close the worker": () => self.close(),
};

function pair(value: string): [string, string] {
  const [from = "", to = ""] = value.split(" ");
  return [from, to];
}
