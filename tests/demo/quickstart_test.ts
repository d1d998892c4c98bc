/** The quickstart, done as it is written: its own lines in a shell, from the token files to the first pages. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { cites } from "../requirements.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";

const root = new URL("../../", import.meta.url);
const spaceToken = "the-token-of-silverbullet";

interface Step {
  readonly title: string;
  readonly blocks: readonly string[];
}

async function steps(): Promise<Step[]> {
  const page = await Deno.readTextFile(new URL("docs/quickstart.md", root));
  return page.split(/^## /m).slice(1).map((part) => ({
    title: part.split("\n")[0] ?? "",
    blocks: [...part.matchAll(/^```\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? ""),
  }));
}

function blockOf(all: readonly Step[], title: RegExp, holding: RegExp): string {
  const blocks = all.find((step) => title.test(step.title))?.blocks ?? [];
  return blocks.find((block) => holding.test(block)) ?? assert.fail(`${title} has no block with ${holding}`);
}

/** A shell of the newcomer's. Standard input is what is pasted. */
function shell(home: string, lines: string): Deno.Command {
  const path = [dirname(Deno.execPath()), Deno.env.get("PATH") ?? ""].join(":");
  const kept = Object.fromEntries(["DENO_DIR", "HOME", "LANG"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  const cache = kept["DENO_DIR"] ?? join(kept["HOME"] ?? "", ".cache", "deno");
  return new Deno.Command("sh", {
    args: ["-e", "-c", lines],
    cwd: root,
    clearEnv: true,
    env: { ...kept, DENO_DIR: cache, HOME: home, PATH: path },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

async function run(home: string, lines: string, pasted = ""): Promise<string> {
  const child = shell(home, lines).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(pasted));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, `${lines}\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

Deno.test("the quickstart leads from nothing to the newest pages, with token files that nobody else can read", async () => {
  cites("demo.first-minute");
  const all = await steps();
  const home = await Deno.makeTempDir({ prefix: "quickstart-" });
  const space = await startEmbedded({ user: "owner:secret", token: spaceToken });
  space.files.put("Inbox.md", "# Inbox\n\n* [ ] Call the dentist\n");
  const port = freePort();
  /** The page's addresses are those of a machine of one's own; nothing else of its lines is changed. */
  const here = (block: string) =>
    block.replaceAll("http://127.0.0.1:3000", space.url).replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`)
      .replace(/^npx -y deno@\S+ task start$/m, `export SILVERBRIDGE_PORT=${port}\nexec deno task start`);
  let server: Deno.ChildProcess | null = null;
  try {
    // Each of the two steps works without the other.
    await run(home, here(blockOf(all, /^2/, /cat >/)), `${spaceToken}\n`);
    await run(home, here(blockOf(all, /^3/, /urandom/)));
    for (const name of ["silverbullet-token", "client-token"]) {
      const { mode } = await Deno.stat(join(home, ".config/silverbridge", name));
      assert.equal((mode ?? 0) & 0o777, 0o600, name);
    }

    server = shell(home, here(blockOf(all, /^4/, /task start/))).spawn();
    await server.stdin.close();
    const log = await logUntil(server.stderr, /listening/);
    assert.match(log, /listening/, log);
    assert.equal(await run(home, here(blockOf(all, /^4/, /readyz/))), '{"ok":true}');
    const answer = JSON.parse(await run(home, here(blockOf(all, /^4/, /list_pages/))));
    assert.equal(answer.result.structuredContent.pages[0].page, "Inbox");

    const added = blockOf(all, /^5/, /^claude mcp add/).replace(/^claude/, "printf '%s\\n'");
    const token = (await Deno.readTextFile(join(home, ".config/silverbridge/client-token"))).trim();
    assert.ok((await run(home, added)).endsWith(`\nAuthorization: Bearer ${token}\n`));
    assert.ok((await Deno.stat(join(home, ".local/state/silverbridge"))).isDirectory);
  } finally {
    server?.kill("SIGTERM");
    await server?.status;
    await server?.stdout.cancel();
    await space.close();
    await Deno.remove(home, { recursive: true });
  }
});

/** What was written until the pattern came or the stream ended; reads the rest in the background, so that nobody blocks. */
async function logUntil(stream: ReadableStream<Uint8Array<ArrayBuffer>>, pattern: RegExp): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!pattern.test(text)) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  (async () => {
    while (!(await reader.read()).done);
  })();
  return text;
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
