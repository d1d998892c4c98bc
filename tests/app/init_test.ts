/** `init` as somebody meets it who has a SilverBullet and nothing else yet. */

import assert from "node:assert/strict";
import { freePort, mcpRequest, type Program, spaceToken, startProgram, withProgram } from "../support/app.ts";
import type { EmbeddedOptions } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";

interface Place {
  /** Owner of the space; its own process does nothing. */
  readonly program: Program;
  readonly home: string;
  readonly file: string;
  /** Starts `init` without waiting for its end. */
  start(words?: readonly string[], env?: Readonly<Record<string, string | null>>): Promise<Program>;
}

async function withPlace(space: EmbeddedOptions, work: (place: Place) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await withProgram({ script: ["src/main.ts", "version"], wait: "no", space }, async (program) => {
      const file = `${home}/.config/silverbridge/config.yaml`;
      await work({
        ...{ program, home, file },
        start(words = [], env = {}) {
          const nothing = {
            SILVERBRIDGE_SILVERBULLET_URL: null,
            SILVERBRIDGE_SILVERBULLET_TOKEN: null,
            SILVERBRIDGE_TOKEN: null,
            SILVERBRIDGE_PORT: null,
            HOME: home,
          };
          const script = ["src/main.ts", "init", ...words];
          return startProgram({ script, wait: "no", env: { ...nothing, ...env } }, program);
        },
      });
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function tokenFile({ home }: Place, text = spaceToken): Promise<string> {
  await Deno.writeTextFile(`${home}/token`, `${text}\n`, { mode: 0o600 });
  return `${home}/token`;
}

/** Nothing that opens anything is told. */
function assertSilent(asked: Program, ...secrets: readonly string[]): void {
  const told = asked.output + asked.log;
  for (const secret of secrets) assert.ok(!told.includes(secret), `a secret was told:\n${told}`);
  assert.ok(!told.includes("\u001b"), "no colours but on a terminal");
}

function clientToken(text: string): string {
  return /^token: "(\w{40})"$/m.exec(text)?.[1] ?? "";
}

function nothingWritten({ home }: Place): void {
  const left: string[] = [];
  const look = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (isDirectory) look(`${folder}/${name}`);
      else if (name !== "token") left.push(name);
    }
  };
  look(home);
  assert.deepEqual(left, []);
}

async function answers(
  asked: Program,
  lines: ReadonlyArray<readonly [question: RegExp, answer: string]>,
): Promise<void> {
  for (const [question, answer] of lines) {
    await asked.until(({ log }) => question.test(log));
    await asked.say(answer);
  }
}

Deno.test("init --yes writes a file for its owner alone, with which the server starts and answers", async () => {
  cites("init.writes", "init.secrets");
  await withPlace({ files: { "A.md": "a\n" } }, async (place) => {
    const words = ["--yes", "--silverbullet-url", place.program.space.url];
    const asked = await place.start([...words, "--silverbullet-token-file", await tokenFile(place)]);
    assert.equal((await asked.ended()).code, 0, asked.log);
    const text = await Deno.readTextFile(place.file);
    assertSilent(asked, spaceToken, clientToken(text));
    const modes = [place.file, place.file.replace(/\/[^/]*$/, "")].map((path) =>
      (Deno.statSync(path).mode ?? 0) & 0o777
    );
    assert.deepEqual(modes, [0o600, 0o700]);
    assert.equal(clientToken(text).length, 40);
    assert.match(asked.output, /claude mcp add silverbridge -- silverbridge stdio --config/);
    assert.match(asked.output, /YOUR_TOKEN/);
    assert.deepEqual(place.program.space.files.paths().filter((path) => path.includes("silverbridge")), []);
    const port = freePort();
    const env = {
      ...{
        SILVERBRIDGE_SILVERBULLET_URL: null,
        SILVERBRIDGE_SILVERBULLET_TOKEN: null,
        SILVERBRIDGE_TOKEN: null,
      },
      SILVERBRIDGE_PORT: String(port),
    };
    const { space, stateDir } = place.program;
    const script = ["src/main.ts", "serve", "--config", place.file];
    const server = await startProgram({ script, env }, { space, stateDir });
    try {
      const authorization = `Bearer ${clientToken(text)}`;
      const params = { name: "read_page", arguments: { page: "A" } };
      const url = `http://127.0.0.1:${port}`;
      const response = await fetch(mcpRequest(url, { method: "tools/call", params }, { authorization }));
      assert.equal((await response.json()).result.content[1].text, "a\n");
    } finally {
      server.kill("SIGTERM");
      await server.ended();
    }
  });
});

Deno.test("init leaves a file alone that is there, and keeps it under another name when it is told to", async () => {
  cites("init.writes");
  await withPlace({}, async (place) => {
    const words = ["--silverbullet-url", place.program.space.url];
    const token = ["--silverbullet-token-file", await tokenFile(place)];
    await Deno.mkdir(place.file.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(place.file, "mine: 1\n");
    const refused = await place.start(["--yes", ...words, ...token]);
    assert.equal((await refused.ended()).code, 1);
    assert.match(refused.log, /It is left as it is/);
    const declined = await place.start([...words, ...token]);
    await answers(declined, [[/write a new one\?/, ""]]);
    assert.equal((await declined.ended()).code, 1);
    assert.equal(await Deno.readTextFile(place.file), "mine: 1\n");
    const accepted = await place.start([...words, ...token]);
    await answers(accepted, [[/write a new one\?/, "y"], [/Shall clients of the internet/, ""]]);
    assert.equal((await accepted.ended()).code, 0, accepted.log);
    assert.equal(await Deno.readTextFile(`${place.file}.old`), "mine: 1\n");
    assert.match(await Deno.readTextFile(place.file), /^silverbullet_url:/m);
    assert.deepEqual(
      [...Deno.readDirSync(place.file.replace(/\/[^/]*$/, ""))].map(({ name }) => name).toSorted(),
      ["config.yaml", "config.yaml.old"],
    );
  });
});

Deno.test("init gets a token of its own by a code that is confirmed in the browser", async () => {
  cites("init.device", "init.secrets");
  await withPlace({ generation: "2.12", deviceInterval: 1 }, async (place) => {
    const asked = await place.start();
    await answers(asked, [[/Address of SilverBullet/, place.program.space.url], [/confirming a code/, "y"]]);
    const page = /^ {2}(http:\S+)$/m;
    await asked.until(({ log }) => page.test(log));
    const [waiting] = place.program.space.devices?.waiting ?? [];
    assert.equal(waiting?.deviceName, "silverbridge");
    assert.equal(
      page.exec(asked.log)?.[1],
      `${place.program.space.url}/.auth/device?user_code=${waiting?.userCode}`,
    );
    place.program.space.devices?.settle(waiting?.userCode ?? "", "approved");
    await answers(asked, [[/Shall clients of the internet/, "n"]]);
    assert.equal((await asked.ended()).code, 0, asked.log);
    assert.match(asked.log, /Confirmed as owner/);
    assert.match(asked.log, /good for 36[45] days/);
    const text = await Deno.readTextFile(place.file);
    const own = /^silverbullet_token: "(.+)"$/m.exec(text)?.[1] ?? "";
    assert.ok(place.program.space.devices?.accepts(own));
    assertSilent(asked, own, clientToken(text));
  });
});

Deno.test("init writes nothing when the code is refused on the page, or the server has no codes to give", async () => {
  cites("init.device");
  await withPlace({ generation: "2.12", deviceInterval: 1 }, async (place) => {
    const asked = await place.start(["--yes", "--device", "--silverbullet-url", place.program.space.url]);
    await asked.until(({ log }) => log.includes("confirm"));
    const [waiting] = place.program.space.devices?.waiting ?? [];
    place.program.space.devices?.settle(waiting?.userCode ?? "", "denied");
    assert.equal((await asked.ended()).code, 1);
    assert.match(asked.log, /It was refused on the page/);
    nothingWritten(place);
  });
  await withPlace({ generation: "rust-2.10" }, async (place) => {
    const asked = await place.start(["--yes", "--device", "--silverbullet-url", place.program.space.url]);
    assert.equal((await asked.ended()).code, 1);
    assert.match(asked.log, /has no sign-in for programs/);
    nothingWritten(place);
  });
});

Deno.test("init takes a pasted token, asks again for an address that is none, and lets clients sign in when asked to", async () => {
  cites("init.writes", "init.secrets");
  await withPlace({ generation: "go-2.9" }, async (place) => {
    const secret = "several words of the owner";
    const asked = await place.start();
    // What is not shown is not asked for either where nobody looks: those lines follow at once.
    await answers(asked, [
      [/Address of SilverBullet/, "notes"],
      [/must be an address[\s\S]*Address of SilverBullet/, `${place.program.space.url}\n${spaceToken}`],
      [/Shall clients of the internet/, "yes"],
      [/Public address/, "http://plain.example"],
      [/It begins with https/, "https://notes-ai.example.com\nshort"],
      [/at least 12 characters/, `${secret}\nanother secret altogether`],
      [/The two were not the same/, `${secret}\n${secret}`],
    ]);
    assert.equal((await asked.ended()).code, 0, asked.log);
    const text = await Deno.readTextFile(place.file);
    assert.match(text, /^public_url: "https:\/\/notes-ai\.example\.com"$/m);
    assert.match(text, /^owner_secret: "scrypt\$/m);
    assert.ok(!text.includes(secret));
    assertSilent(asked, spaceToken, secret, clientToken(text));
    assert.match(asked.output, /^https:\/\/notes-ai\.example\.com\/mcp$/m);
  });
});

Deno.test("init needs no token where SilverBullet asks for none, and says read_only where nothing can be written", async () => {
  cites("init.writes");
  await withPlace({ user: undefined, readOnly: true } as unknown as EmbeddedOptions, async (place) => {
    const asked = await place.start(["--yes", "--silverbullet-url", place.program.space.url]);
    assert.equal((await asked.ended()).code, 0, asked.log);
    const text = await Deno.readTextFile(place.file);
    assert.match(text, /^read_only: "on"$/m);
    assert.ok(!text.includes("silverbullet_token"));
  });
});

Deno.test("init writes nothing that does not work", async () => {
  cites("init.writes");
  await withPlace({}, async (place) => {
    const wrong = await place.start([
      ...["--yes", "--silverbullet-url", place.program.space.url],
      ...["--silverbullet-token-file", await tokenFile(place, "wrong-token-0123456789abcdefghijklm")],
    ]);
    assert.equal((await wrong.ended()).code, 1);
    assert.match(wrong.log, /does not accept SILVERBRIDGE_SILVERBULLET_TOKEN/);
    nothingWritten(place);
    const away = await place.start(["--yes", "--silverbullet-url", `http://127.0.0.1:${freePort()}`]);
    assert.equal((await away.ended()).code, 1);
    nothingWritten(place);
    const broken = await place.start();
    await broken.until(({ log }) => log.includes("Address of SilverBullet"));
    await broken.closeInput();
    assert.equal((await broken.ended()).code, 1);
    assert.match(broken.log, /Nothing was written/);
    nothingWritten(place);
    const failing = await place.start([
      ...["--yes", "--silverbullet-url", place.program.space.url],
      ...["--silverbullet-token-file", await tokenFile(place), "--config", "/proc/nowhere/config.yaml"],
    ]);
    assert.equal((await failing.ended()).code, 1);
    assert.match(failing.log, /Cannot write/);
  });
});

Deno.test("init takes no secret from the command line, and does not repeat it", async () => {
  cites("init.secrets");
  await withPlace({}, async (place) => {
    for (
      const words of [["--silverbullet-token", spaceToken], [`--silverbullet-token=${spaceToken}`], [
        "--nonsense",
      ], ["x"]]
    ) {
      const asked = await place.start(["--yes", ...words]);
      assert.equal((await asked.ended()).code, 64);
      assertSilent(asked, spaceToken);
    }
    nothingWritten(place);
  });
});

Deno.test("init takes what variables say already, and asks nothing that it knows", async () => {
  cites("init.writes");
  await withPlace({ prefix: "/notes" }, async (place) => {
    const env = {
      SILVERBRIDGE_SILVERBULLET_URL: place.program.space.url,
      SILVERBRIDGE_SILVERBULLET_TOKEN: spaceToken,
    };
    const asked = await place.start(["--config", `${place.home}/it's here/my config.yaml`], env);
    await answers(asked, [[/Shall clients of the internet/, ""]]);
    assert.equal((await asked.ended()).code, 0, asked.log);
    assert.ok(!/Address of SilverBullet|Token for/.test(asked.log));
    const text = await Deno.readTextFile(`${place.home}/it's here/my config.yaml`);
    assert.ok(text.includes(`silverbullet_url: "${place.program.space.url}"`));
    assertSilent(asked, spaceToken, clientToken(text));
    const [line = ""] = asked.output.split("\n").filter((each) => each.startsWith("claude mcp add"));
    const words = await new Deno.Command("sh", { args: ["-c", `printf '%s\\n' ${line}`] }).output();
    assert.equal(
      new TextDecoder().decode(words.stdout).trimEnd().split("\n").at(-1),
      `${place.home}/it's here/my config.yaml`,
      "the line works in a shell",
    );
  });
});
