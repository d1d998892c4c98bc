/** The demonstration as `deno task demo` runs it, with the permissions that the task names. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { runLine, type RunningDemo, startDemo } from "./running_demo.ts";

const root = new URL("../../", import.meta.url);

/** The task's own command, so that the test and the task cannot differ. */
async function demoCommand(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const [program, ...args] = String(tasks.demo.command).split(" ");
  assert.equal(program, "deno");
  return args;
}

/** Runs the demonstration with a temporary folder of its own, and checks that it leaves nothing there. */
async function withDemo(work: (demo: RunningDemo) => Promise<void>): Promise<string> {
  const temporary = await Deno.makeTempDir({ prefix: "demo-test-" });
  try {
    const demo = await startDemo({
      program: Deno.execPath(),
      args: await demoCommand(),
      cwd: root,
      env: {
        TMPDIR: temporary,
        SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:9/",
        SILVERBRIDGE_NONSENSE: "x",
      },
      within: 60_000,
    });
    let ended;
    try {
      await work(demo);
    } finally {
      ended = await demo.end();
    }
    assert.equal(ended.code, 0, ended.errors);
    assert.deepEqual([...Deno.readDirSync(temporary)], []);
    return ended.errors;
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

async function call(
  demo: RunningDemo,
  tool: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const response = await fetch(demo.url, {
    method: "POST",
    headers: {
      "Authorization": `Bearer ${demo.token}`,
      "Content-Type": "application/json",
      "Accept": "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args },
    }),
  });
  assert.equal(response.status, 200);
  return (await response.json()).result;
}

function textOf(result: Record<string, unknown>): string {
  const blocks = result["content"] as Array<{ text: string }>;
  return blocks.map(({ text }) => text).join("\n");
}

Deno.test("demo prints an address, a token and a curl line that works as printed, and cleans up", async () => {
  cites("demo.curl", "demo.clean");
  const log = await withDemo(async (demo) => {
    assert.match(demo.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.match(demo.token, /^[0-9a-z]{40}$/);
    const answer = JSON.parse(await runLine(demo.curl));
    assert.equal(answer.result.isError ?? false, false);
    assert.match(textOf(answer.result), /# Slipway\n/);
    assert.ok(
      demo.printed.includes(
        `claude mcp add --transport http silverbridge ${demo.url} \\\n  --header "Authorization: Bearer ${demo.token}"\n`,
      ),
    );
    assert.match(demo.printed, /\[mcp_servers\.silverbridge\]/);
    assert.doesNotMatch(demo.printed, /YOUR_TOKEN/);

    const refused = await fetch(demo.url, { method: "POST", body: "{}" });
    assert.equal(refused.status, 401);
    await refused.body?.cancel();

    const written = await call(demo, "create_page", { page: "Ideas/Été", content: "# Été\n" });
    assert.equal(written["isError"] ?? false, false, textOf(written));
    assert.match(textOf(await call(demo, "read_page", { page: "Ideas/Été" })), /# Été\n$/);
    const image = await call(demo, "read_page", { page: "img/skiff.png" });
    assert.match(JSON.stringify(image), /"mimeType":"image\/png"/);
    const newest = textOf(await call(demo, "list_pages", { limit: 3, prefix: "Journal/" }));
    assert.match(newest, /2026-11-27.*2026-11-26.*2026-11-25/);

    for (const line of await curlLinesOfTheGuide()) {
      const guided = JSON.parse(await runLine(line, { URL: demo.url, TOKEN: demo.token }));
      assert.ok(guided.result !== undefined && guided.result.isError !== true, line);
    }
  });
  assert.match(log, /\[WRITE\] action=\S+ page=/);
});

/** Each command block of docs/clients/curl.md. */
async function curlLinesOfTheGuide(): Promise<string[]> {
  const page = await Deno.readTextFile(new URL("docs/clients/curl.md", root));
  const blocks = [...page.matchAll(/^```\n(curl[\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  assert.ok(blocks.length >= 2);
  return blocks;
}

Deno.test("demo finds another port where the usual one is taken", async () => {
  await withDemo(async (first) => {
    await withDemo(async (second) => {
      assert.notEqual(first.url, second.url);
      assert.match(second.printed, /^Port 8787 is in use/m);
      assert.match(await runLine(second.curl), /# Slipway/);
    });
  });
});

Deno.test("demo with a port that is taken says so and names no setting that it does not read", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    const { port } = listener.addr;
    const args = [...await demoCommand(), "--port", String(port)];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    const text = new TextDecoder();
    assert.deepEqual([code, text.decode(stdout), text.decode(stderr)], [
      1,
      "",
      `Port ${port} is in use: choose another one, or leave --port out\n`,
    ]);
  } finally {
    listener.close();
  }
});

Deno.test("the sample folder is listed, read and searched beside the notes", async () => {
  cites("demo.folder");
  await withDemo(async (demo) => {
    const text = async (tool: string, args: Record<string, unknown>) => textOf(await call(demo, tool, args));
    const listed = JSON.parse(await text("list_files", { root: "workshop" }));
    assert.deepEqual(
      listed.entries.map(({ name }: { name: string }) => name),
      ["Drawings", "Handout.md", "Ledger"],
    );
    assert.match(
      await text("read_file", { root: "workshop", path: "Drawings/lofting.txt" }),
      /Lofting of the faering/,
    );
    const { matches } = JSON.parse(await text("search_files", { root: "workshop", q: "larch" }));
    assert.match(matches[0].text, /-5600/);
  });
});

Deno.test("the sample space has forty linked pages, and every link leads to a page", async () => {
  const { demoFiles } = await import("../../src/cli/demo_space.ts");
  const pages = Object.entries(demoFiles).filter(([path]) => path.endsWith(".md"));
  assert.ok(pages.length >= 40, `${pages.length} pages`);
  const names = new Set(Object.keys(demoFiles).map((path) => path.replace(/\.md$/, "")));
  const dangling = pages.flatMap(([path, text]) =>
    [...String(text).matchAll(/\[\[([^\]|#]+)/g)].map((match) => match[1] ?? "").filter((name) =>
      !names.has(name)
    )
      .map((name) => `${path}: ${name}`)
  );
  assert.deepEqual(dangling, []);
  const unlinked = pages.filter(([, text]) => !String(text).includes("[[")).map(([path]) => path);
  assert.ok(unlinked.length < 6, unlinked.join());
});
