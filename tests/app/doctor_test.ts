/** `doctor` as an operator runs it, against everything that goes wrong in practice. */

import assert from "node:assert/strict";
import {
  freePort,
  type Program,
  type ProgramOptions,
  spaceToken,
  startProgram,
  token,
  withProgram,
} from "../support/app.ts";
import { authority, certificate, privateKey } from "../support/certificates.ts";
import { generations } from "../../src/silverbullet/embedded/generations.ts";
import { cites } from "../requirements.ts";

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
  readonly mend?: string;
}

interface Examined {
  readonly code: number;
  readonly findings: readonly Finding[];
  readonly output: string;
  /** Status by check; the worst where a check reports twice. */
  readonly statuses: Readonly<Record<string, string>>;
}

const port = (program: Program) => ({ SILVERBRIDGE_PORT: String(program.port) });

/** Runs `doctor --json` beside a program, with that program's settings unless others are given. */
async function examine(
  program: Program,
  options: ProgramOptions & { readonly words?: readonly string[] } = {},
): Promise<Examined> {
  const { words = [], ...rest } = options;
  const script = ["src/main.ts", "doctor", "--json", ...words];
  const env = { ...port(program), ...options.env };
  const asked = await startProgram({ ...rest, script, env, wait: "no" }, program);
  const { code } = await asked.ended();
  assert.ok(!`${asked.output}${asked.log}`.includes(token), "no client token");
  assert.ok(!`${asked.output}${asked.log}`.includes(spaceToken), "no space token");
  const { findings, ok } = JSON.parse(asked.output);
  assert.equal(ok, code === 0, asked.output);
  const statuses: Record<string, string> = {};
  for (const { check, status, mend } of findings as Finding[]) {
    if (statuses[check] !== "fail") statuses[check] = status;
    if (status === "fail" || status === "warn") {
      assert.ok((mend ?? "").length > 10 || check === "configuration", check);
    }
  }
  return { code, findings, output: asked.output, statuses };
}

function textOf({ findings }: Examined, check: string): string {
  return findings.filter((finding) => finding.check === check).map(({ text, mend }) => `${text} → ${mend}`)
    .join("\n");
}

Deno.test("doctor finds nothing wrong with a server that is as it should be, and leaves nothing behind", async () => {
  cites("doctor.checks", "doctor.traces");
  const env = { SILVERBRIDGE_OWNER_SECRET: "several words of the owner" };
  await withProgram({ env, space: { files: { "index.md": "Welcome\n" } } }, async (program) => {
    const examined = await examine(program, { env });
    assert.deepEqual(examined.findings.filter(({ status }) => status === "fail"), []);
    assert.equal(examined.code, 0);
    for (
      const check of [
        "open-files",
        "configuration-file",
        "state-file",
        "clock",
        "silverbullet",
        "token-enforced",
        "version",
        "events",
        "write",
        "port",
        "public-url",
        "authentication",
        "metadata",
        "origin",
      ]
    ) assert.equal(examined.statuses[check], "ok", check);
    const paths = program.space.files.paths();
    assert.deepEqual(paths.filter((path) => path.includes("silverbridge")), []);
  });
});

for (const generation of generations) {
  Deno.test(`doctor knows ${generation} and writes there without leaving a page`, async () => {
    cites("doctor.checks", "doctor.traces");
    const script = ["src/main.ts", "version"];
    await withProgram({ script, wait: "no", space: { generation } }, async (program) => {
      const { code, statuses, output } = await examine(program);
      assert.equal(code, 0, output);
      const isAtomic = ["2.11", "2.12", "edge"].includes(generation);
      assert.deepEqual(
        [statuses["silverbullet"], statuses["version"], statuses["write"], statuses["port"]],
        ["ok", isAtomic ? "ok" : "note", "ok", "note"],
      );
      assert.deepEqual(program.space.files.paths().filter((path) => path.includes("silverbridge")), []);
    });
  });
}

interface Wrong {
  readonly what: string;
  readonly options: ProgramOptions;
  readonly space?: ProgramOptions["space"];
  readonly check: string;
  readonly status: string;
  readonly says: RegExp;
  readonly code: number;
}

const wrongs: readonly Wrong[] = [
  {
    what: "a SilverBullet that is not there",
    options: { env: { SILVERBRIDGE_SILVERBULLET_URL: `http://127.0.0.1:${freePort()}` } },
    ...{ check: "silverbullet", status: "fail", says: /No SilverBullet can be reached/, code: 1 },
  },
  {
    what: "a token that is not accepted",
    options: { env: { SILVERBRIDGE_SILVERBULLET_TOKEN: "another-token-0123456789abcdefghijk" } },
    ...{
      check: "silverbullet",
      status: "fail",
      says: /does not accept SILVERBRIDGE_SILVERBULLET_TOKEN/,
      code: 1,
    },
  },
  {
    what: "a SilverBullet that takes no changes",
    options: {},
    space: { readOnly: true },
    ...{ check: "write", status: "fail", says: /takes no changes.*SB_READ_ONLY/, code: 1 },
  },
  {
    what: "a SilverBullet whose token switches nothing on",
    options: {},
    space: { user: "" },
    ...{ check: "token-enforced", status: "fail", says: /protects nothing.*SB_USER/, code: 1 },
  },
  {
    what: "a state folder that cannot be written to",
    options: { env: { SILVERBRIDGE_STATE_DIR: `${Deno.execPath()}/state` } },
    ...{ check: "state-folder", status: "fail", says: /no state folder.*SILVERBRIDGE_STATE_DIR/, code: 1 },
  },
  {
    what: "a root that is missing",
    options: { env: { SILVERBRIDGE_ROOTS: "docs=/nowhere/at/all" } },
    ...{ check: "configuration", status: "fail", says: /docs/, code: 78 },
  },
  {
    what: "a public address that leads elsewhere",
    options: { env: { SILVERBRIDGE_PUBLIC_URL: `http://localhost:${freePort()}` } },
    ...{ check: "public-url", status: "fail", says: /nothing accepts.*SILVERBRIDGE_PUBLIC_URL/, code: 1 },
  },
  {
    what: "few open files",
    options: { wrapper: ["prlimit", "--nofile=140"] },
    ...{ check: "open-files", status: "fail", says: /room for \d+ connections.*LimitNOFILE/, code: 1 },
  },
];

for (const { what, options, space, check, status, says, code } of wrongs) {
  Deno.test(`doctor tells of ${what}, with what mends it`, async () => {
    cites("doctor.checks");
    // No user, where the table says so: then no token is asked for.
    const served = space?.user === "" ? { ...space, user: undefined } : space;
    const beside = { script: ["src/main.ts", "version"], wait: "no" } as const;
    const running = check === "public-url" ? {} : beside;
    await withProgram(
      { ...running, space: served as NonNullable<ProgramOptions["space"]> },
      async (program) => {
        const examined = await examine(program, options);
        assert.equal(examined.code, code, examined.output);
        assert.equal(examined.statuses[check], status, examined.output);
        assert.match(textOf(examined, check), says);
      },
    );
  });
}

/** A program that has ended, beside another one of this machine that listens. */
async function withOther(
  answer: () => Response,
  work: (program: Program, port: number) => Promise<void>,
): Promise<void> {
  const other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  try {
    await withProgram(
      { script: ["src/main.ts", "version"], wait: "no" },
      (program) => work(program, other.addr.port),
    );
  } finally {
    await other.shutdown();
  }
}

Deno.test("doctor tells of an address where a web page answers, and of a clock that is off", async () => {
  cites("doctor.checks");
  const headers = { "content-type": "text/html", "date": "Tue, 01 Dec 2020 12:00:00 GMT" };
  const page = () => new Response("<!doctype html><title>Sign in</title>", { headers });
  await withOther(page, async (program, other) => {
    const env = { SILVERBRIDGE_SILVERBULLET_URL: `http://127.0.0.1:${other}` };
    const examined = await examine(program, { env });
    assert.equal(examined.code, 1);
    assert.match(textOf(examined, "silverbullet"), /A web page answers/);
    assert.equal(examined.statuses["clock"], "fail");
  });
});

Deno.test("doctor tells of a port that another program has", async () => {
  cites("doctor.checks");
  await withOther(() => new Response("hello"), async (program, other) => {
    const examined = await examine(program, { env: { SILVERBRIDGE_PORT: String(other) } });
    assert.equal(examined.code, 1);
    assert.match(textOf(examined, "port"), /Another program has port/);
    assert.equal(examined.statuses["public-url"], "skip");
  });
});

Deno.test("doctor tells of a configuration file that others can read, and of one that is yours alone", async () => {
  cites("doctor.checks");
  await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
    const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
    try {
      const file = `${folder}/config.yaml`;
      await Deno.writeTextFile(file, "log_level: info\n", { mode: 0o600 });
      const env = { SILVERBRIDGE_CONFIG: file };
      assert.equal((await examine(program, { env })).statuses["configuration-file"], "ok");
      await Deno.chmod(file, 0o644);
      const examined = await examine(program, { env });
      assert.equal(examined.statuses["configuration-file"], "warn");
      assert.match(textOf(examined, "configuration-file"), /chmod 600/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});

Deno.test("doctor removes its page although SilverBullet fails in the middle, or names the page that is left", async () => {
  cites("doctor.traces");
  await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
    program.space.faults.add({
      fault: { kind: "status", status: 500 },
      verb: "PUT",
      skip: 1,
      times: Infinity,
    });
    const examined = await examine(program);
    assert.equal(examined.statuses["write"], "fail", examined.output);
    assert.deepEqual(program.space.files.paths().filter((path) => path.includes("silverbridge-check")), []);
    program.space.faults.clear();
    program.space.faults.add({
      fault: { kind: "status", status: 500 },
      verb: "DELETE",
      skip: 1,
      times: Infinity,
    });
    const stuck = await examine(program);
    assert.equal(stuck.statuses["write"], "fail", stuck.output);
    assert.match(textOf(stuck, "write"), /delete the page silverbridge-check-\w+ by hand/);
  });
});

Deno.test("doctor writes nothing with --no-write or READ_ONLY, and looks as for stdio with --stdio", async () => {
  cites("doctor.traces");
  await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
    const before = program.space.requests.all().length;
    const looked = await examine(program, { words: ["--no-write"] });
    const bound = await examine(program, { env: { SILVERBRIDGE_READ_ONLY: "on" } });
    assert.deepEqual([looked.statuses["write"], bound.statuses["write"]], ["skip", "skip"]);
    const sent = program.space.requests.all().slice(before).map(({ method }) => method);
    assert.ok(!sent.includes("PUT") && !sent.includes("DELETE"), sent.join());
    const env = { SILVERBRIDGE_TOKEN: null };
    assert.equal((await examine(program, { env })).code, 78, "a server needs a way in");
    const piped = await examine(program, { env, words: ["--stdio"] });
    assert.equal(piped.code, 0, piped.output);
    assert.equal(piped.statuses["port"], undefined);
  });
});

Deno.test("doctor in words ends with a count, and an unknown flag with 64", async () => {
  cites("doctor.checks");
  await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
    const asked = await startProgram(
      { script: ["src/main.ts", "doctor"], wait: "no", env: port(program) },
      program,
    );
    assert.equal((await asked.ended()).code, 0);
    assert.match(asked.output, /^ok {7}SilverBullet answers and accepts the token$/m);
    assert.match(asked.output, /\nNothing is wrong\n$/);
    assert.ok(!asked.output.includes("\u001b"), "no colours but on a terminal");
    const script = ["src/main.ts", "doctor", "--jsno"];
    const mistyped = await startProgram({ script, wait: "no", env: port(program) }, program);
    assert.equal((await mistyped.ended()).code, 64);
  });
});

/** A proxy that speaks https with a certificate of a private authority, in front of a server on this machine. */
async function withTls(target: string, work: (port: number) => Promise<void>): Promise<void> {
  const serve = async (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-host", host);
    headers.set("x-forwarded-for", "203.0.113.7");
    const body = request.body === null ? {} : { body: await request.bytes() };
    return await fetch(`${target}${pathname}${search}`, {
      method: request.method,
      headers,
      ...body,
      redirect: "manual",
    });
  };
  const options = { hostname: "127.0.0.1", port: 0, cert: certificate, key: privateKey, onListen: () => {} };
  const proxy = Deno.serve(options, serve);
  try {
    await work(proxy.addr.port);
  } finally {
    await proxy.shutdown();
  }
}

Deno.test("doctor tells of a certificate that is not trusted, of https where http is spoken, and of what mends it", async () => {
  cites("doctor.checks");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const file = `${folder}/authority.pem`;
    await Deno.writeTextFile(file, authority);
    await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
      await withTls(program.space.url, async (tlsPort) => {
        const env = { SILVERBRIDGE_SILVERBULLET_URL: `https://127.0.0.1:${tlsPort}` };
        const refused = await examine(program, { env });
        assert.match(
          textOf(refused, "silverbullet"),
          /certificate is not trusted → .*SILVERBRIDGE_SILVERBULLET_CA_FILE/,
        );
        const trusted = await examine(program, { env: { ...env, SILVERBRIDGE_SILVERBULLET_CA_FILE: file } });
        assert.equal(trusted.statuses["silverbullet"], "ok", trusted.output);
      });
      const env = { SILVERBRIDGE_SILVERBULLET_URL: program.space.url.replace("http:", "https:") };
      assert.match(textOf(await examine(program, { env }), "silverbullet"), /does not speak https/);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("doctor asks through the proxy that has the public address, certificate and all", async () => {
  cites("doctor.checks");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const listening = freePort();
  try {
    const file = `${folder}/authority.pem`;
    await Deno.writeTextFile(file, authority);
    await withTls(`http://127.0.0.1:${listening}`, async (tlsPort) => {
      const env = {
        SILVERBRIDGE_PORT: String(listening),
        SILVERBRIDGE_PUBLIC_URL: `https://localhost:${tlsPort}`,
        SILVERBRIDGE_OWNER_SECRET: "several words of the owner",
      };
      await withProgram({ env }, async (program) => {
        const refused = await examine(program, { env });
        assert.match(
          textOf(refused, "public-url"),
          /certificate is not trusted.* → Give the proxy or tunnel a certificate/,
        );
        const trusted = await examine(program, { env: { ...env, DENO_CERT: file } });
        const checks = ["public-url", "authentication", "metadata", "origin"];
        assert.deepEqual(
          checks.map((check) => trusted.statuses[check]),
          ["ok", "ok", "ok", "ok"],
          trusted.output,
        );
      });
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("doctor tells of a state file that is damaged, foreign or of a newer program, and leaves it as it is", async () => {
  cites("doctor.checks", "state.schema");
  await withProgram({}, async (program) => {
    program.kill("SIGTERM");
    await program.ended();
    const file = `${program.stateDir}/state.db`;
    const whole = Deno.readFileSync(file);
    const newer = whole.slice();
    newer.set([0, 0, 3, 231], 60);
    const foreign = whole.slice();
    foreign.set([1, 2, 3, 4], 68);
    const torn = whole.slice();
    torn.fill(0x55, 4096, 4096 * 6);
    const cases = [
      [newer, /newer silverbridge/],
      [foreign, /none of silverbridge's/],
      [torn, /damaged/],
      [new TextEncoder().encode("no database at all, but long enough\n".repeat(99)), /damaged/],
    ] as const;
    for (const [bytes, says] of cases) {
      Deno.writeFileSync(file, bytes);
      const examined = await examine(program);
      assert.equal(examined.statuses["state-file"], "fail", examined.output);
      assert.match(textOf(examined, "state-file"), says);
      assert.deepEqual(Deno.readFileSync(file), bytes, "it is left as it is");
    }
  });
});
