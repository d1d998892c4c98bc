/** A name that nobody knows is said, with the name that was probably meant. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { folders, loaded, problemsOf, refused } from "./fake_system.ts";
import { cites } from "../requirements.ts";

/** Pinned here, so that a setting that vanishes is noticed. */
const today = [
  ..."CONFIG SILVERBULLET_URL SILVERBULLET_TOKEN SILVERBULLET_PUBLIC_URL SILVERBULLET_CA_FILE SPACE_PATH"
    .split(" "),
  ..."POLL_SECONDS ROOTS EXCLUDE ALLOW_GENERATED_NAMES ALLOW_BROAD_ROOT REFUSE_HARD_LINKS HOST PORT".split(
    " ",
  ),
  ..."PUBLIC_URL ALLOWED_HOSTS ALLOWED_ORIGINS TRUSTED_PROXIES AUTH TOKEN OWNER_SECRET OAUTH_CLIENT_ID".split(
    " ",
  ),
  ..."OAUTH_CLIENT_SECRET OAUTH_REDIRECT_URIS REGISTRATION CLIENT_DOCUMENTS UNKNOWN_REDIRECTS".split(" "),
  ..."ACCESS_TOKEN_HOURS REFRESH_TOKEN_DAYS GRANT_MAX_DAYS JWT_ISSUER JWT_AUDIENCE JWT_JWKS_URL".split(" "),
  ..."JWT_ALGORITHMS JWT_LEEWAY_SECONDS JWT_HEADER STATE_DIR STATE_KEY STATE_MAX_BYTES PROFILE READ_ONLY"
    .split(" "),
  ..."WRITE_PATHS READ_PATHS HIDDEN_PATHS PROTECTED_CONTENT TRASH TRASH_DAYS HISTORY_DAYS HISTORY_BYTES"
    .split(" "),
  ..."BLIND_WRITES CHANGES_PER_HOUR ERROR_STYLE INSTRUCTIONS PUBLIC_MODE RATE_LIMIT_PER_MINUTE".split(" "),
  ..."READ_MAX_CHARS SEARCH_MAX_FILE_BYTES MAX_MATCHES LIST_MAX_ENTRIES DOC_MAX_FILE_BYTES".split(" "),
  ..."DOC_MAX_ARCHIVE_MEMBERS DOC_MAX_UNCOMPRESSED_BYTES DOC_MAX_MEMBER_BYTES".split(" "),
  ..."DOC_MAX_COMPRESSION_RATIO XLSX_MAX_SHEETS XLSX_MAX_ROWS XLSX_MAX_COLS MAX_BODY_BYTES".split(" "),
  ..."MAX_PAGE_BYTES LOG_LEVEL LOG_FORMAT".split(" "),
];

const old = [
  ..."MCP_SILVERBULLET_SB_URL MCP_SILVERBULLET_RESOURCE_URL MCP_SILVERBULLET_JWT_AUDIENCE BRIDGE_ROOTS".split(
    " ",
  ),
  ..."BRIDGE_TUNNEL_MODE BRIDGE_XLSX_MAX_SHEETS BRIDGE_MAX_READ_BYTES MCP_SILVERBULLET_JOURNAL_TOOLS".split(
    " ",
  ),
];

/** One slip of the fingers, behind the prefix. */
function slip(name: string, start: number): fc.Arbitrary<string> {
  const place = fc.integer({ min: start, max: name.length - 1 });
  const letter = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ_".split(""));
  return fc.oneof(
    place.map((at) => name.slice(0, at) + name.slice(at + 1)),
    fc.tuple(place, letter).map(([at, each]) => name.slice(0, at) + each + name.slice(at)),
    fc.tuple(place, letter).map(([at, each]) => name.slice(0, at) + each + name.slice(at + 1)),
    place.filter((at) => at < name.length - 1)
      .map((at) => name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)),
  );
}

const known = new Set([...today, ...old]);
const slippedToday = fc.constantFrom(...today).chain((name) => fc.tuple(fc.constant(name), slip(name, 0)))
  .filter(([, wrong]) => !known.has(wrong) && !wrong.startsWith("TEST_"));
const slippedOld = fc.constantFrom(...old)
  .chain((name) => fc.tuple(fc.constant(name), slip(name, name.startsWith("B") ? 7 : 17)))
  .filter(([, wrong]) => !known.has(wrong));

Deno.test("a misspelt variable is an error that names the right one", async () => {
  cites("config.suggestions");
  await fc.assert(
    fc.asyncProperty(slippedToday, async ([right, wrong]) => {
      const problems = await problemsOf({ env: { ...folders, [`SILVERBRIDGE_${wrong}`]: "x" } });
      const found = problems.find(({ name }) => name === `SILVERBRIDGE_${wrong}`);
      assert.ok(found?.mend.split(/[ ?]/).includes(`SILVERBRIDGE_${right}`), `${wrong}: ${found?.mend}`);
    }),
    { numRuns: 300 },
  );
});

Deno.test("a misspelt flag is an error that names the right one", async () => {
  const flags = slippedToday.filter(([, wrong]) => /^[A-Z]/.test(wrong));
  await fc.assert(
    fc.asyncProperty(flags, async ([right, wrong]) => {
      const flag = `--${wrong.toLowerCase().replaceAll("_", "-")}`;
      const problems = await problemsOf({ args: [`${flag}=x`], env: folders });
      const wanted = `--${right.toLowerCase().replaceAll("_", "-")}`;
      const mends = problems.filter(({ name }) => name === flag).flatMap(({ mend }) => mend.split(/[ ?]/));
      assert.ok(
        mends.some((mend) => mend === wanted || mend === `${wanted}-file`),
        `${flag}: ${mends.join(" ")}`,
      );
    }),
    { numRuns: 200 },
  );
});

Deno.test("a misspelt older name is a warning that names the right one, and the server starts", async () => {
  await fc.assert(
    fc.asyncProperty(slippedOld, async ([right, wrong]) => {
      const { notices } = await loaded({ env: { ...folders, [wrong]: "x" } });
      const found = notices.find(({ message }) => message.startsWith(`${wrong} is not known`));
      assert.equal(found?.level, "warn");
      assert.ok(found.message.split(/[ ?]/).includes(right), found.message);
    }),
    { numRuns: 100 },
  );
});

Deno.test("names that are said differently elsewhere are found too", async () => {
  const cases = [
    ["SILVERBRIDGE_SB_URL", "SILVERBRIDGE_SILVERBULLET_URL"],
    ["SILVERBRIDGE_SB_TOKEN", "SILVERBRIDGE_SILVERBULLET_TOKEN"],
    ["SILVERBRIDGE_OWNER_TOKEN", "SILVERBRIDGE_OWNER_SECRET"],
    ["SILVERBRIDGE_RESOURCE_URL", "SILVERBRIDGE_PUBLIC_URL"],
    ["SILVERBRIDGE_AUTH_MODE", "SILVERBRIDGE_AUTH"],
    ["SILVERBRIDGE_TOKEN_FIEL", "SILVERBRIDGE_TOKEN_FILE"],
  ] as const;
  for (const [wrong, right] of cases) {
    const { problems } = await refused({ env: { ...folders, [wrong]: "x" } });
    assert.equal(problems[0]?.mend, `Did you mean ${right}?`);
  }
});

Deno.test("what resembles nothing is sent to the list", async () => {
  const { problems } = await refused({
    env: { ...folders, SILVERBRIDGE_QQQQQQQQQQQQ: "x" },
    args: ["--qqqqqqqqqqqqq=x"],
  });
  assert.deepEqual(problems.map(({ mend }) => mend), [
    "silverbridge help lists every flag",
    "silverbridge help lists every setting",
  ]);
});

Deno.test("names of tests, of other programs and of the system are none of ours", async () => {
  const env = {
    ...folders,
    SILVERBRIDGE_TEST_SILVERBULLET_URL: "http://x",
    MCP_SILVERBULLET_LIVE_SB_URL: "http://x",
    BRIDGEHEAD: "x",
    MCP_OTHER: "x",
    UVICORN_LOG_LEVEL: "x",
    PATH: "/bin",
  };
  assert.deepEqual((await loaded({ env })).notices, []);
});

Deno.test("a name in lower case is a warning, and one that Kubernetes made is explained", async () => {
  const { notices } = await loaded({ env: { ...folders, silverbridge_port: "1" } });
  assert.match(notices[0]?.message ?? "", /^silverbridge_port has no effect/);
  const { problems } = await refused({ env: { ...folders, SILVERBRIDGE_SERVICE_HOST: "10.0.0.1" } });
  assert.match(problems[0]?.mend ?? "", /enableServiceLinks: false/);
});

Deno.test("a hostile name cannot reach the terminal", async () => {
  const { problems } = await refused({
    env: { ...folders, ["SILVERBRIDGE_\u001b[2J\nX"]: "x" },
    args: ["--\u001b[31mred"],
  });
  assert.ok(
    !/\p{Cc}/u.test(problems.map(({ name, message, mend }) => name + message + mend).join("")),
  );
});
