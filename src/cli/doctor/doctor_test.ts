import assert from "node:assert/strict";
import { cites } from "../../../tests/requirements.ts";
import type { Config } from "../../config/config.ts";
import type { PageStore } from "../../core/page_store.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";
import { ask } from "./ask.ts";
import { type Finding, findingText } from "./finding.ts";
import { checkClock, checkReach } from "./reach.ts";
import { checkWrite } from "./scratch_page.ts";
import { checkSpace } from "./space.ts";
import { fileSystemMatter } from "./system.ts";
import { checkTokenExpiry, expiryOf } from "./token_expiry.ts";

function collect(work: (report: (finding: Finding) => void) => unknown): Finding[] {
  const findings: Finding[] = [];
  work((finding) => findings.push(finding));
  return findings;
}

Deno.test("fileSystemMatter() knows file systems of the network and those that do not last", () => {
  for (const kind of ["nfs", "nfs4", "cifs", "smb2", "smb3", "v9fs", "fuse.sshfs", "NFS"]) {
    assert.equal(fileSystemMatter(kind), "network", kind);
  }
  for (const kind of ["tmpfs", "overlayfs", "ramfs"]) assert.equal(fileSystemMatter(kind), "passing", kind);
  for (const kind of ["ext2/ext3", "btrfs", "xfs", "zfs", "apfs", null]) {
    assert.equal(fileSystemMatter(kind), null, String(kind));
  }
});

Deno.test("expiryOf() reads the end of a JWT, and none from anything else", () => {
  const part = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  const jwt = (claims: unknown) => `${part({ alg: "HS256" })}.${part(claims)}.c2ln`;
  assert.equal(expiryOf(jwt({ exp: 1_800_000_000 })), 1_800_000_000_000);
  for (const token of ["sbt_0123", "a.b.c", "", "..", jwt({}), jwt({ exp: "1" }), jwt(null), jwt([1])]) {
    assert.equal(expiryOf(token), null, token);
  }
  const day = 86_400_000;
  const at = (exp: number) =>
    collect((report) => checkTokenExpiry(jwt({ exp }), 1_000 * day, report))[0]?.status;
  const seconds = (days: number) => (1_000 + days) * 86_400;
  assert.deepEqual([at(seconds(-1)), at(seconds(0)), at(seconds(29)), at(seconds(31))], [
    "fail",
    "fail",
    "warn",
    "ok",
  ]);
  assert.deepEqual(collect((report) => checkTokenExpiry(null, 0, report)), []);
});

Deno.test("checkClock() forgives seconds, warns of more, and fails beyond a minute", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  const statusAt = (date: string) =>
    collect((report) => checkClock({ headers: new Headers({ date }) }, now, report))[0]?.status;
  assert.equal(statusAt("Tue, 01 Dec 2026 12:00:04 GMT"), "ok");
  assert.equal(statusAt("Tue, 01 Dec 2026 11:59:50 GMT"), "warn");
  assert.equal(statusAt("Tue, 01 Dec 2026 12:02:00 GMT"), "fail");
  assert.equal(statusAt("nonsense"), undefined);
});

Deno.test("findingText() colours for terminals alone and lets no server move their cursor", () => {
  const finding = { check: "x", status: "fail", text: "bad\u001b[2Jthing", mend: "do\rthis" } as const;
  assert.equal(findingText(finding, { colour: false }), "FAILED   bad?[2Jthing\n         → do?this\n");
  assert.ok(findingText(finding, { colour: true }).startsWith("\u001b[31mFAILED   \u001b[0mbad?"));
});

Deno.test("ask() follows nothing, bounds what it reads, and says why nothing came", async () => {
  await withServer((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/away") return new Response(null, { status: 302, headers: { location: "/healthz" } });
    return new Response("x".repeat(1_000_000));
  }, async (url) => {
    const away = await ask(`${url}/away`);
    assert.ok("status" in away && away.status === 302);
    const long = await ask(`${url}/long`);
    assert.ok("status" in long && long.text.length === 65_536);
  });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  assert.deepEqual(await ask(`http://127.0.0.1:${port}/`), { failure: "refused" });
});

/** A machine's own address that is not loopback, or `null` where it has none. */
function outerAddress(): string | null {
  return Deno.networkInterfaces().find(({ family, address }) =>
    family === "IPv4" && !address.startsWith("127.") && !address.startsWith("169.254.")
  )?.address ?? null;
}

async function withServer(
  handler: (request: Request) => Response,
  work: (url: string, port: number) => Promise<void>,
  hostname = "127.0.0.1",
): Promise<void> {
  const server = Deno.serve({ hostname, port: 0, onListen: () => {} }, handler);
  try {
    await work(`http://${hostname}:${server.addr.port}`, server.addr.port);
  } finally {
    await server.shutdown();
  }
}

type Changes = Readonly<Record<string, (request: Request) => Response>>;

/** `/mcp` that gives web pages of those origins this status. */
function toOrigin(origin: string, status: number): Changes {
  return {
    "/mcp": (request) =>
      request.headers.get("origin") === origin ? new Response(null, { status }) : publicServer({})(request),
  };
}

/** A server as it should be behind a proxy; `change` breaks one of its answers. */
function publicServer(change: Changes) {
  return (request: Request): Response => {
    const { pathname, origin } = new URL(request.url);
    const changed = change[pathname];
    if (changed !== undefined) return changed(request);
    switch (pathname) {
      case "/healthz":
        return Response.json({ ok: true });
      case "/mcp": {
        if (request.headers.get("origin")?.includes("stranger") === true) {
          return new Response(null, { status: 403 });
        }
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
        return new Response(null, { status: 401, headers });
      }
      case "/.well-known/oauth-protected-resource/mcp":
        return Response.json({ resource: `${origin}/mcp` });
      case "/.well-known/oauth-authorization-server":
        return Response.json({ issuer: origin });
      default:
        return new Response(null, { status: 401 });
    }
  };
}

const outer = outerAddress();

Deno.test({
  name: `checkReach() finds what is wrong between clients and the server${
    outer === null ? " (skipped: no address but loopback)" : ""
  }`,
  ignore: outer === null,
  fn: async () => {
    cites("doctor.checks");
    const faults: ReadonlyArray<readonly [Changes, string | null]> = [
      [{}, null],
      [{ "/healthz": () => new Response("<html>Sign in</html>") }, "public-url"],
      [{ "/healthz": () => Response.redirect("https://login.example/", 302) }, "public-url"],
      [{ "/mcp": () => new Response("<html>", { status: 200 }) }, "authentication"],
      [{ "/mcp": () => new Response("host-not-allowed", { status: 403 }) }, "authentication"],
      [{ "/mcp": () => new Response(null, { status: 401 }) }, "authentication"],
      [
        { "/.well-known/oauth-authorization-server": () => Response.json({ issuer: "http://127.0.0.1" }) },
        "metadata",
      ],
      [
        { "/.well-known/oauth-protected-resource/mcp": () => new Response(null, { status: 404 }) },
        "metadata",
      ],
      [{ "/metrics": () => new Response("silverbridge_up 1") }, "proxy-is-no-operator"],
      [{ "/roots": () => Response.json({ roots: [] }) }, "proxy-is-no-operator"],
      [toOrigin("https://stranger.example", 401), "origin"],
      [toOrigin("https://claude.ai", 403), "origin"],
    ];
    for (const [change, check] of faults) {
      await withServer(publicServer(change), async (publicUrl) => {
        const config = { publicUrl, auth: ["oauth"] } as unknown as Config;
        const findings: Finding[] = [];
        await checkReach(config, (finding) => findings.push(finding));
        const failed = findings.filter(({ status }) => status === "fail");
        const wanted = check === null ? [] : [check];
        assert.deepEqual(
          failed.map((finding) => finding.check).slice(0, 1),
          wanted,
          Object.keys(change).join(),
        );
        for (const { mend } of failed) assert.ok(mend !== undefined && mend.length > 20);
      }, outer ?? "");
    }
  },
});

Deno.test("checkReach() takes every name of this machine for its own: no proxy is in between", async () => {
  cites("doctor.checks");
  await withServer(publicServer({ "/metrics": () => new Response("silverbridge_up 1") }), async (_, port) => {
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
      const config = { publicUrl: new URL(`http://${host}:${port}`).origin, auth: [] } as unknown as Config;
      const findings: Finding[] = [];
      await checkReach(config, (finding) => findings.push(finding));
      const found = findings.find(({ check }) => check === "proxy-is-no-operator");
      assert.equal(found?.status, "skip", `${host} ${JSON.stringify(findings)}`);
    }
  });
});

Deno.test("checkWrite() knows whether SPACE_PATH is the folder that the space is in", async () => {
  cites("doctor.checks");
  const folder = Deno.makeTempDirSync({ prefix: "silverbridge-test-" });
  try {
    const space = createMemoryStore();
    const inFolder: PageStore = {
      ...space,
      write(path, bytes, options) {
        Deno.writeFileSync(`${folder}/${path}`, bytes);
        return space.write(path, bytes, options);
      },
    };
    const statusOf = async (store: PageStore, path: string | null) => {
      const findings: Finding[] = [];
      await checkWrite(store, path, (finding) => findings.push(finding));
      assert.equal(findings.find(({ check }) => check === "write")?.status, "ok");
      return findings.find(({ check }) => check === "space-path")?.status;
    };
    assert.equal(await statusOf(inFolder, folder), "ok");
    assert.equal(await statusOf(space, folder), "fail");
    assert.equal(await statusOf(inFolder, null), undefined);
    assert.deepEqual(await space.list(), []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test({
  name: "checkSpace() warns of a token that goes to another machine over plain http",
  ignore: outer === null,
  fn: async () => {
    cites("doctor.checks");
    const statusOf = async (host: string) => {
      const setting = { url: `http://${host}:1`, token: "x".repeat(32), caPem: null, spacePath: null };
      const config = { silverbullet: setting, readOnly: false } as unknown as Config;
      const findings: Finding[] = [];
      await checkSpace({ config, write: false }, (finding) => findings.push(finding));
      return findings.find(({ check }) => check === "silverbullet-https")?.status;
    };
    assert.equal(await statusOf(outer ?? ""), "warn");
    assert.equal(await statusOf("127.0.0.1"), undefined);
  },
});
