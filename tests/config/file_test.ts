/** The configuration file: strict, with places, and no way to make it cost time or memory. */

import assert from "node:assert/strict";
import type { Config } from "../../src/config/config.ts";
import { configurationReference } from "./reference_configuration.ts";
import {
  fakeSource,
  type FakeSystem,
  folders,
  loaded,
  notes,
  problemsOf,
  strongToken,
} from "./fake_system.ts";
import { load } from "../../src/config/load.ts";
import { cites } from "../requirements.ts";

const hash = "a".repeat(64);
const digest = `sha256:${hash}`;

function withFile(text: string, more: FakeSystem = {}): FakeSystem {
  return {
    ...more,
    env: { ...folders, ...more.env },
    args: ["--config", "/etc/bridge/c.yaml"],
    files: { "/etc/bridge/c.yaml": text, ...more.files },
  };
}

async function firstProblem(text: string): Promise<string> {
  return (await problemsOf(withFile(text)))[0]?.message ?? "none";
}

Deno.test("the example of the reference page is a configuration that starts", async () => {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(configurationReference()) ?? [];
  const secrets = { silverbullet: "upstream", owner: "correct horse battery", claude: "claude-upstream" };
  const files = {
    "/etc/bridge/c.yaml": yaml,
    "/etc/bridge/silverbullet.token": secrets.silverbullet,
    "/etc/bridge/owner.secret": secrets.owner,
    "/etc/bridge/claude.token": secrets.claude,
  };
  const { config } = await loaded({ args: ["--config", "/etc/bridge/c.yaml"], files });
  assert.deepEqual(config.roots, [{ alias: "docs", path: "/srv/docs", index: true, exclude: ["*.tmp"] }]);
  assert.deepEqual(config.clients, [{
    name: "Claude",
    match: { client: "https://claude.ai/*", redirectHost: "claude.ai" },
    rights: { read: ["**"], append: ["Inbox/**", "Journal/**"], create: ["Inbox/**"] },
    roots: ["docs"],
    profile: "standard",
    silverbulletToken: "claude-upstream",
  }]);
  assert.deepEqual(config.tokens, [{
    name: "laptop",
    hash: "0".repeat(64),
    rights: { read: ["**"], write: ["Projects/**"] },
    roots: [],
    profile: null,
    silverbulletToken: null,
  }]);
  assert.deepEqual([config.auth, config.hiddenPaths, config.silverbullet?.token], [["oauth", "token"], [
    "Private/**",
  ], "upstream"]);
});

Deno.test("claim rules reach the identity provider's settings", async () => {
  const env = {
    SILVERBRIDGE_JWT_ISSUER: "i",
    SILVERBRIDGE_JWT_AUDIENCE: "a",
    SILVERBRIDGE_JWT_JWKS_URL: "https://i.example",
  };
  const text =
    `claims:\n  - when: { groups: editors, "https://x/role": a b }\n    rights: { read: ["**"] }\n    roots: all\n`;
  const { config } = await loaded(withFile(text, { env }));
  assert.deepEqual(config.jwt?.claims, [{
    when: { groups: "editors", "https://x/role": "a b" },
    rights: { read: ["**"] },
    roots: "all",
  }]);
});

Deno.test("a token may be given by a file, and is then as strong as any", async () => {
  const text = "public_url: https://m.example\ntokens: [{ name: a, token_file: t }]";
  const strong = withFile(text, { files: { "/etc/bridge/t": `${strongToken}\n` } });
  assert.equal((await loaded(strong)).config.tokens[0]?.hash.length, 64);
  const weak = await problemsOf(withFile(text, { files: { "/etc/bridge/t": "weak" } }));
  assert.match(
    weak[0]?.message ?? "",
    /^tokens\[0\]\.token_file \(configuration file, line 2\) is too weak for public mode/,
  );
});

Deno.test("a rule without rights has all within the ceiling; with rights it has no folder that it does not name", async () => {
  const tokens = (rule: string) => `tokens: [{ name: a, hash: "${digest}"${rule} }]`;
  const read = async (rule: string) => {
    const [token] = (await loaded(withFile(tokens(rule)))).config.tokens;
    return [token?.rights, token?.roots];
  };
  assert.deepEqual(await read(""), [null, "all"]);
  assert.deepEqual(await read(", rights: {}"), [{}, []]);
  assert.deepEqual(await read(", rights: { read: Inbox/** }, roots: docs"), [{ read: ["Inbox/**"] }, [
    "docs",
  ]]);
  assert.deepEqual(await read(", roots: []"), [null, []]);
});

Deno.test("relative paths in the file start from its own folder", async () => {
  const text = "roots: [{ alias: a, path: docs }]\ninstructions: file:rules.md";
  const system = {
    args: ["--config=/etc/bridge/c.yaml"],
    files: { "/etc/bridge/c.yaml": text, "/etc/bridge/docs/a": "", "/etc/bridge/rules.md": "Be kind" },
  };
  const { config } = await loaded(system);
  assert.deepEqual([config.roots[0]?.path, config.instructions], ["/etc/bridge/docs", "Be kind"]);
});

Deno.test("values are taken as they are written", async () => {
  const read = async (text: string, reads: (config: Config) => unknown) =>
    reads((await loaded(withFile(text))).config);
  assert.deepEqual(await read("read_only: yes", (c) => c.readOnly), true);
  assert.deepEqual(await read("port: 09000", (c) => c.port), 9000);
  assert.deepEqual(await read("auth: token\ntoken: 012345", (c) => c.tokens.length), 1);
  assert.deepEqual(await read("hidden_paths:\n  - Private/**\n  - 'a, b/**'", (c) => c.hiddenPaths), [
    "Private/**",
    "a, b/**",
  ]);
  assert.deepEqual(await read("hidden_paths: A/**, B/**", (c) => c.hiddenPaths), ["A/**", "B/**"]);
  assert.deepEqual(await read("instructions: |\n  One\n  Two\n", (c) => c.instructions), "One\nTwo");
});

const faults: readonly (readonly [string, RegExp])[] = [
  ["prot: 1", /^prot \(configuration file, line 1\) is not known$/],
  ["\nconfig: x", /^config \(configuration file, line 2\) is not known$/],
  ["port:", /^port \(configuration file, line 1\) has no value$/],
  ["hidden_paths:\nport: 1", /^hidden_paths \(configuration file, line 1\) has no value$/],
  ["port: [1]", /^port \(configuration file, line 1\) must be a single value/],
  ["port: { a: 1 }", /^port \(configuration file, line 1\) must be a single value$/],
  ["hidden_paths: [[a]]", /must be a single value/],
  ["port: x", /^port \(configuration file, line 1\) must be an integer/],
  ["port: 1\nport: 2", /line 2\) holds the same name twice/],
  ["port: &x 1", /holds an anchor or alias/],
  ["a: &x 1\nb: *x", /holds an anchor or alias/],
  ["a: &a [x]\nb: &b [*a, *a]", /holds an anchor or alias/],
  ["port: !!int 1", /holds a tag$/],
  ["port: !x 1", /holds a tag$/],
  ["port: 1\n---\nport: 2", /begins a second document/],
  ["\tport: 1", /indented with a tab/],
  ["port: 'x", /lacks a quote/],
  ["- port", /does not hold settings/],
  ["just text", /does not hold settings/],
  ["? [a]\n: b", /no single word/],
  ["<<: { port: 1 }", /^<< \(configuration file, line 1\) is not known$/],
  ["__proto__: { port: 1 }", /^__proto__ \(configuration file, line 1\) is not known$/],
  ["tokens: {}", /^tokens \(configuration file, line 1\) must be a list$/],
  ["tokens:\n  - laptop", /^tokens\[0\] \(configuration file, line 2\) must hold names and values$/],
  ["tokens:\n  - name: a", /^tokens\[0\] \(configuration file, line 2\) lacks hash$/],
  [`tokens:\n  - hash: "${digest}"`, /lacks name$/],
  [`tokens: [{ name: a, hash: ${hash} }]`, /^tokens\[0\]\.hash .* must be sha256:/],
  [`tokens: [{ name: a, hash: "${digest}", token_file: x }]`, /stands beside hash$/],
  [`tokens: [{ name: "a\\nb", hash: "${digest}" }]`, /^tokens\[0\]\.name .* must be/],
  [
    `tokens: [{ name: a, hash: "${digest}" }, { name: a, hash: "sha256:${"b".repeat(64)}" }]`,
    /is the name of tokens\[0\]/,
  ],
  [`tokens: [{ name: a, hash: "${digest}" }, { name: b, hash: "${digest}" }]`, /are the same token/],
  [
    `tokens: [{ name: a, hash: "${digest}", rights: { raed: x } }]`,
    /^tokens\[0\]\.rights\.raed .* is not known$/,
  ],
  [`tokens: [{ name: a, hash: "${digest}", rights: { read: /x } }]`, /without a slash in front/],
  [
    `tokens: [{ name: a, hash: "${digest}", rights: all }]`,
    /^tokens\[0\]\.rights .* must hold names and values$/,
  ],
  [
    `tokens: [{ name: a, hash: "${digest}", roots: [nope] }]`,
    /^tokens\[0\]\.roots .* names a root that does not exist$/,
  ],
  [`tokens: [{ name: a, hash: "${digest}", profile: all }]`, /^tokens\[0\]\.profile .* must be one of/],
  ["clients: [{ name: a }]", /lacks match$/],
  ["clients: [{ name: a, match: {} }]", /fits every client$/],
  ["clients: [{ name: a, match: { clinet: x } }]", /clinet .* is not known$/],
  ["claims: [{ rights: {} }]", /lacks when$/],
  ["claims: [{ when: {}, rights: {} }]", /names no claim$/],
  ["claims: [{ when: { a: [b] }, rights: {} }]", /must be a single value$/],
  ["claims: [{ when: { a: b } }]", /lacks rights$/],
  ["roots: [{ path: /srv/docs }]", /lacks alias$/],
  ["roots: [{ alias: a b, path: /srv/docs }]", /^roots\[0\]\.alias .* must be a name/],
  ["roots: [{ alias: a, path: /srv/docs, exclude: a/b }]", /^roots\[0\]\.exclude .* must be globs/],
];

for (const [text, message] of faults) {
  Deno.test(`the file ${JSON.stringify(text)} is refused with its place`, async () => {
    assert.match(await firstProblem(text), message);
  });
}

Deno.test("roots of the file are checked like any", async () => {
  const text = "roots: [{ alias: a, path: /nope }, { alias: b, path: /home }, { alias: b, path: /srv/more }]";
  const system = { ...withFile(text), env: {} };
  const messages = (await problemsOf(system)).map(({ message }) => message);
  assert.match(
    messages[0] ?? "",
    /^roots\[0\] \(configuration file, line 1\): root a names a file or folder that does not exist$/,
  );
  assert.match(messages[1] ?? "", /root b is a home folder or \/etc as a whole$/);
  assert.match(messages[2] ?? "", /root b is given twice$/);
});

Deno.test("a SilverBullet token of a rule must not be one that clients may use", async () => {
  const env = { ...notes, SILVERBRIDGE_OWNER_SECRET: "correct horse battery" };
  const text = `clients: [{ name: a, match: { client: x }, silverbullet_token: ${strongToken} }]`;
  assert.match(
    (await problemsOf(withFile(text, { env })))[0]?.message ?? "",
    /The SilverBullet token of "a" is accepted from clients too/,
  );
});

Deno.test("a file that is built to hurt is refused within its time", async () => {
  cites("config.file");
  const hostile = [
    `a: ${"[".repeat(200_000)}`,
    "{a: ".repeat(60_000),
    "- ".repeat(120_000),
    "a: ".repeat(80_000),
    Array.from({ length: 25_000 }, (_, index) => `k${index}: 1`).join("\n"),
    `a: &a [x,x,x,x,x,x,x,x,x]\n${
      Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*a,*a,*a,*a,*a,*a,*a,*a]`).join("\n")
    }`,
    "x".repeat(300_000),
  ];
  for (const text of hostile) {
    const started = performance.now();
    assert.ok((await problemsOf(withFile(text))).length > 0);
    assert.ok(performance.now() - started < 20_000);
  }
});

Deno.test("a file without settings, or with comments alone, changes nothing", async () => {
  for (const text of ["# nothing yet\n", "---\n", "{}"]) {
    assert.equal((await loaded(withFile(text))).config.port, 8787);
  }
});

Deno.test("a parser that gives no answer is a problem like any", async () => {
  const source = {
    ...fakeSource(withFile("port: 1")),
    parseYaml: () =>
      Promise.resolve({ faults: [{ message: "takes too long to parse", mend: "Shorten it", place: null }] }),
  };
  const result = await load(source);
  assert.ok("problems" in result);
  assert.equal(result.problems[0]?.message, "The configuration file takes too long to parse");
});

Deno.test("the parser of the file runs in a worker without any permission, which ends with it", async () => {
  cites("config.file");
  const started: unknown[] = [];
  let ended = 0;
  const Original = globalThis.Worker;
  globalThis.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      started.push([String(url).split("/").at(-1), options]);
    }

    override terminate(): void {
      ended++;
      super.terminate();
    }
  };
  try {
    await loaded(withFile("port: 1"));
  } finally {
    globalThis.Worker = Original;
  }
  const options = { type: "module", name: "yaml", deno: { permissions: "none" } };
  assert.deepEqual([started, ended], [[["yaml_worker.ts", options]], 1]);
});
