/** The page about folders over HTTP, done as it is written: its own lines in a shell, and what it says comes back. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { freePort, root } from "../support/app.ts";
import { cites } from "../requirements.ts";

interface Block {
  readonly language: string;
  readonly text: string;
}

async function blocks(): Promise<readonly Block[]> {
  const page = await Deno.readTextFile(new URL("docs/files-api.md", root));
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .map((match) => ({ language: match[1] ?? "", text: match[2] ?? "" }));
}

function shell(home: string, lines: string): Deno.Command {
  const inherited = Deno.env.get("HOME") ?? "";
  return new Deno.Command("sh", {
    args: ["-e", "-c", lines],
    cwd: root,
    clearEnv: true,
    env: {
      PATH: [dirname(Deno.execPath()), Deno.env.get("PATH") ?? ""].join(":"),
      DENO_DIR: Deno.env.get("DENO_DIR") ?? join(inherited, ".cache", "deno"),
      HOME: home,
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function outputOf(home: string, lines: string): Promise<string> {
  const { code, stdout, stderr } = await shell(home, lines).output();
  assert.equal(code, 0, `${lines}\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Times are those of the reader's own files. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, each) => name === "modified" ? "then" : each));
}

Deno.test("the page about folders over HTTP: every command answers what stands below it", async () => {
  cites("files-api.documented");
  const all = await blocks();
  const home = await Deno.makeTempDir({ prefix: "files-api-" });
  const port = freePort();
  const here = (text: string) =>
    text.replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`).replace(/^curl /gm, "curl -sS ")
      .replace(/^npx -y deno@\S+ task start$/m, `export SILVERBRIDGE_PORT=${port}\nexec deno task start`);
  const [start, ...rest] = all;
  const server = shell(home, here(start?.text ?? "")).spawn();
  try {
    const log = await logUntil(server.stderr, /listening/);
    assert.match(log, /listening/, log);
    let compared = 0;
    for (const [at, { text }] of rest.entries()) {
      const answer = rest[at + 1];
      if (!text.startsWith("curl ") || answer === undefined) continue;
      const given = await outputOf(home, here(text));
      if (answer.language === "json") {
        assert.deepEqual(withoutTimes(JSON.parse(given)), withoutTimes(JSON.parse(answer.text)), text);
      } else assert.equal(given, answer.text, text);
      compared++;
    }
    assert.equal(compared, 9);
  } finally {
    server.kill("SIGTERM");
    await server.status;
    await server.stdout.cancel();
    await Deno.remove(home, { recursive: true });
  }
});

/** What was written until the pattern came or the stream ended; the rest is read on, so that the server never waits. */
async function logUntil(stream: ReadableStream<Uint8Array<ArrayBuffer>>, pattern: RegExp): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!pattern.test(text)) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  void (async () => {
    while (!(await reader.read()).done);
  })();
  return text;
}
