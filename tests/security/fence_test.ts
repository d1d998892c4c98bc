/** The fence, tried from inside the running server worker and from the launcher's thread: product §9. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { freePort, mcpRequest, type Program, withProgram } from "../support/app.ts";

const script = ["tests/support/probe_main.ts"];
type Tries = Array<[name: string, value: string]>;

/** Outcomes by attempt, each tried on its value inside the worker or on the main thread. */
async function probe(program: Program, to: "worker" | "main", tries: Tries): Promise<Map<string, string>> {
  const before = program.output.length;
  await program.say(JSON.stringify({ to, tries }));
  await program.until(({ output }) => output.slice(before).includes("\n"));
  return new Map(Object.entries(JSON.parse(program.output.slice(before).split("\n")[0] ?? "")));
}

async function refusesAll(program: Program, to: "worker" | "main", tries: Tries): Promise<void> {
  for (const each of tries) {
    const outcomes = await probe(program, to, [each]);
    assert.equal(outcomes.get(each[0]), "NotCapable", `${to}: ${each.join(" ")}`);
  }
}

async function withOutside(work: (outside: string) => Promise<void>): Promise<void> {
  const outside = await Deno.makeTempDir({ prefix: "silverbridge-outside-" });
  await Deno.writeTextFile(`${outside}/secret.txt`, "canary");
  await Deno.writeTextFile(`${outside}/module.js`, "export const loaded = true;\n");
  try {
    await work(outside);
  } finally {
    await Deno.remove(outside, { recursive: true });
  }
}

Deno.test("server worker can read, write, list, link and import nothing outside its state folder", async () => {
  cites("fence.worker");
  await withOutside(async (outside) => {
    await withProgram({ script }, async (program) => {
      const secret = `${outside}/secret.txt`;
      const inside = `${program.stateDir}/own.txt`;
      const allowed = await probe(program, "worker", [["write a file", inside], ["read a file", inside]]);
      assert.deepEqual([...allowed.values()], ["allowed", "allowed"], "the probe itself works");
      await refusesAll(program, "worker", [
        ["read a file", secret],
        ["read a file", "/etc/passwd"],
        ["read a file", "/proc/self/environ"],
        ["read a file", "/proc/self/maps"],
        ["read a file", `/proc/self/root${secret}`],
        ["read a file", `${program.stateDir}/../${secret.split("/").slice(-2).join("/")}`],
        ["read a file", `${program.stateDir}-evil/x`],
        ["read a file at once", secret],
        ["read a file through node", secret],
        ["open a file through node", secret],
        ["fetch a file", secret],
        ["stat a file", secret],
        ["list a folder", outside],
        ["list a folder", "/"],
        ["list a folder through node", outside],
        ["open a database", `${outside}/other.db`],
        ["attach a database", `${outside}/other.db`],
        ["import a file", `${outside}/module.js`],
        ["write a file", `${outside}/new.txt`],
        ["write a file", `${program.stateDir}/../new.txt`],
        ["write a file through node", `${outside}/new.txt`],
        ["make a folder", `${outside}/new`],
        ["make a temporary folder", ""],
        ["remove a file", secret],
        ["make a symbolic link", `${secret} ${program.stateDir}/link`],
        ["make a symbolic link through node", `${secret} ${program.stateDir}/link`],
        ["make a hard link", `${secret} ${program.stateDir}/link`],
        ["rename a file", `${secret} ${program.stateDir}/moved`],
        ["rename a file", `${inside} ${outside}/moved`],
        ["copy a file", `${secret} ${program.stateDir}/copy`],
        ["copy a file", `${inside} ${outside}/copy`],
      ]);
      const names = [...Deno.readDirSync(outside)].map(({ name }) => name).toSorted();
      assert.deepEqual(names, ["module.js", "secret.txt"], "nothing outside was touched");
    });
  });
});

Deno.test("server worker of a program without state can read and write no file at all", async () => {
  cites("fence.worker");
  await withProgram(
    { script, env: { SILVERBRIDGE_STATE_DIR: `${Deno.execPath()}/state` } },
    async (program) => {
      await refusesAll(program, "worker", [
        ["read a file", program.stateDir],
        ["write a file", `${program.stateDir}/x`],
        ["list a folder", "/"],
      ]);
      assert.equal((await probe(program, "worker", [["fetch", program.space.url]])).get("fetch"), "allowed");
    },
  );
});

Deno.test("a link that somebody else put into an allowed folder is followed by Deno, so folders check for themselves", async () => {
  await withOutside(async (outside) => {
    await withProgram({ script }, async (program) => {
      await Deno.symlink(`${outside}/secret.txt`, `${program.stateDir}/link`);
      const outcomes = await probe(program, "worker", [["read a file", `${program.stateDir}/link`]]);
      assert.equal(
        outcomes.get("read a file"),
        "allowed",
        "if this is refused one day, the documents can say so",
      );
    });
  });
});

Deno.test("server worker reaches SilverBullet and nothing else on the network", async () => {
  cites("fence.worker");
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    await withProgram({ script }, async (program) => {
      const { port } = other.addr;
      const space = new URL(program.space.url);
      const allowed = await probe(program, "worker", [
        ["fetch", program.space.url],
        ["connect", `127.0.0.1 ${space.port}`],
        ["connect through node", `127.0.0.1 ${space.port}`],
      ]);
      assert.deepEqual([...allowed.values()], ["allowed", "allowed", "allowed"], "the probe itself works");
      await refusesAll(program, "worker", [
        ["fetch", `http://127.0.0.1:${port}/`],
        ["fetch", `http://localhost:${space.port}/`],
        ["fetch", `http://[::1]:${space.port}/`],
        ["fetch", `http://0.0.0.0:${space.port}/`],
        ["fetch", "http://169.254.169.254/latest/meta-data/"],
        ["connect", `127.0.0.1 ${port}`],
        ["connect", "192.0.2.1 80"],
        ["connect through node", `127.0.0.1 ${port}`],
        ["request through node", `http://127.0.0.1:${port}/`],
        ["open a websocket", `ws://127.0.0.1:${port}/`],
        ["resolve a name", "example.com"],
        ["listen", `127.0.0.1 ${freePort()}`],
        ["listen", `0.0.0.0 ${freePort()}`],
        ["listen", "127.0.0.1 0"],
        ["listen through node", `127.0.0.1 ${freePort()}`],
        ["send a datagram", `127.0.0.1 ${port}`],
        ["listen on a unix socket", `${program.stateDir}/socket`],
      ]);
      const named = await probe(program, "worker", [["resolve a name through node", "example.com"]]);
      assert.notEqual(named.get("resolve a name through node"), "allowed");
    });
  } finally {
    other.close();
  }
});

Deno.test("server worker has no environment, no other program, no library, no facts of the host, and cannot ask", async () => {
  cites("fence.worker");
  await withProgram({ script }, async (program) => {
    await refusesAll(program, "worker", [
      ["read a variable", "SILVERBRIDGE_TOKEN"],
      ["read a variable", "HOME"],
      ["read every variable", ""],
      ["read a variable through node", "HOME"],
      ["run a program", "/bin/true"],
      ["run a program", Deno.execPath()],
      ["run a program through node", "/bin/true"],
      ["run a program and look at it through node", "/bin/true"],
      ["signal another process", String(Deno.pid)],
      ["load a library", "libc.so.6"],
      ["learn the host's name", ""],
      ["learn the host's name through node", ""],
      ["learn the network's addresses", ""],
      ["ask for read", "/etc"],
      ["ask for all net", ""],
      ["ask for run", ""],
      ["start a worker that may read all", ""],
      ["start a worker that may run all", ""],
      ["start a worker that may reach", "192.0.2.1:80"],
    ]);
  });
});

Deno.test("the launcher's thread gives up everything once the server runs", async () => {
  cites("fence.launcher");
  await withProgram({ script }, async (program) => {
    await refusesAll(program, "main", [
      ["read a file", "/etc/passwd"],
      ["read a file", `${program.stateDir}/state.db`],
      ["write a file", `${program.stateDir}/x`],
      ["read a variable", "SILVERBRIDGE_TOKEN"],
      ["read every variable", ""],
      ["fetch", program.space.url],
      ["connect", `127.0.0.1 ${program.port}`],
      ["listen", `127.0.0.1 ${freePort()}`],
      ["run a program", "/bin/true"],
      ["load a library", "libc.so.6"],
      ["learn the host's name", ""],
      ["start a worker that may read all", ""],
      ["ask for read", "/etc"],
    ]);
  });
});

Deno.test("proxy variables change nothing, and the log says so", async () => {
  cites("fence.proxies");
  const proxy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let proxied = 0;
  const accepting = (async () => {
    for await (const connection of proxy) {
      proxied++;
      connection.close();
    }
  })();
  try {
    const address = `http://127.0.0.1:${proxy.addr.port}`;
    const env = {
      HTTP_PROXY: address,
      http_proxy: address,
      ALL_PROXY: address,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    await withProgram({ env }, async (program) => {
      const ready = await fetch(`${program.url}/readyz`);
      assert.equal(await ready.text(), '{"ok":true}');
      const answer = await fetch(mcpRequest(program.url, { method: "tools/list" }));
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
      await program.until(({ log }) =>
        /"event":"proxies_ignored","names":"ALL_PROXY HTTP_PROXY http_proxy"/.test(log)
      );
    });
    assert.equal(proxied, 0);
  } finally {
    proxy.close();
    await accepting;
  }
});
