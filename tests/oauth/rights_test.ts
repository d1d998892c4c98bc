/** Two clients with different rights at once: each sees and can do exactly its own, by every way in that there is. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { cites } from "../requirements.ts";
import { mcpRequest } from "../support/app.ts";
import type { WireClient } from "../support/sign_in.ts";
import { origin, type SignInWorld, withSignIn } from "../support/sign_in_app.ts";

const canary = "canary-of-the-other-side";
const files = {
  "Mine/Page.md": "# Mine\n\nwords shared, see [[Other/Secret]]\n\n* [ ] my task #shared\n",
  "Mine/Deep/Page.md": "words shared\n",
  "Other/Secret.md":
    `# Title ${canary}\n\nwords shared ${canary}, see [[Mine/Page]]\n\n* [ ] ${canary} task #shared\n`,
  "Other/${canary}.md": "x\n",
  "Secret of Other.md": `${canary}\n`,
};

async function signIn({ client, browser }: SignInWorld, name: string, choices: Record<string, string>) {
  const redirectUri = "https://client.example/cb";
  const { client_id: id } = await client.register({ client_name: name, redirect_uris: [redirectUri] });
  const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
  const code = (await browser.approve(url, choices)).searchParams.get("code") ?? "";
  return (await client.exchange({ code, client_id: String(id) })).accessToken;
}

async function answerOf(client: WireClient, token: string, tool: string, input: unknown): Promise<string> {
  return await (await client.call(token, tool, input)).text();
}

Deno.test("two clients at once each see and change exactly their own", async () => {
  cites("oauth.rights");
  await withSignIn({ space: { files } }, async (world) => {
    const { client } = world;
    const mine = await signIn(world, "Mine", { sees: "Mine/**", changes: "Mine/**", profile: "full" });
    const other = await signIn(world, "Other", { sees: "Other/**", access: "read", profile: "full" });
    const [mineList, otherList] = await Promise.all([
      answerOf(client, mine, "list_pages", {}),
      answerOf(client, other, "list_pages", {}),
    ]);
    assert.match(mineList, /Mine\/Page/);
    assert.equal(/Other|canary/.test(mineList), false, mineList);
    assert.match(otherList, /Other\/Secret/);
    assert.equal(otherList.includes("Mine"), false, otherList);
    assert.match(await answerOf(client, other, "read_page", { page: "Other/Secret" }), new RegExp(canary));
    assert.match(await answerOf(client, mine, "create_page", { page: "Mine/New", content: "x" }), /etag/);
    assert.match(await answerOf(client, other, "create_page", { page: "Other/New", content: "x" }), /-32602/);
    assert.equal(world.app.space.files.get("Other/New.md"), null);
    const names = await client.toolNames(other);
    assert.equal(
      names.some((name) => /write|create|append|prepend|delete|patch|move|undo|check_task/.test(name)),
      false,
    );
  });
});

/** Everything that lies outside the limits, as it is now. */
function outside({ app }: SignInWorld): string {
  const { files: all } = app.space;
  return JSON.stringify(
    all.paths().filter((path) => !/^(?:_trash\/\d{4}-\d{2}\/)?Mine\//.test(path)).map((
      path,
    ) => [path, all.text(path)]),
  );
}

/** Spellings of a page that a careless comparison might take for an allowed one, or for the hidden one. */
const spellings = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("Other/Secret", "Mine/Page") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "Other/Secret",
      "Other/Secret.md",
      "other/secret",
      "OTHER/SECRET",
      "Mine/../Other/Secret",
      "Mine/Page/../../Other/Secret",
      "./Other/Secret",
      "/Other/Secret",
      "//Other/Secret",
      "Mine//../Other/Secret",
      "Other/Secret/",
      "Other\\Secret",
      "Other%2FSecret",
      "Mine/%2e%2e/Other/Secret",
      "Other/Secret\u0000",
      "Other/Secret ",
      "Other/Sécret".normalize("NFD"),
      "Other/Secret#Title",
      "Other/Secret@1",
      "[[Other/Secret]]",
      "Secret of Other",
      "_trash/2026-11/Other/Secret",
      "_trash/2026-11/Other/Secret.md",
      "Other/Gone",
      "Other/Gone.md",
      "silverbullet://page/Other/Secret",
      `Other/${canary}`,
    ),
  },
);

/** What the other side did and what it can be called by: places in the trash, changes, versions. */
interface OtherPast {
  readonly trashed: string;
  readonly changes: readonly string[];
  readonly versions: readonly string[];
}

/** Values for an argument, by its name where a name means something, else by its type. */
function valuesFor(
  name: string,
  schema: { readonly type?: unknown; readonly enum?: readonly string[] },
  past: OtherPast,
) {
  const texts: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    page: fc.oneof({ weight: 6, arbitrary: spellings }, { weight: 1, arbitrary: fc.constant(past.trashed) }),
    change: fc.constantFrom("c000000000000", ...past.changes),
    from: fc.oneof(fc.constant("Mine/Page"), spellings),
    to: fc.oneof(fc.constant("Mine/Moved"), spellings),
    other_page: spellings,
    query: fc.constantFrom("shared", canary, "Secret", "tag:shared", `"${canary}"`, "path:Other"),
    question: fc.constantFrom("shared words", canary),
    prefix: fc.constantFrom("Other/", "Mine/../Other", "", "other", "Mine/"),
    contains: fc.constantFrom("Secret", canary, "Page"),
    tag: fc.constantFrom("shared", "#shared"),
    find: fc.constantFrom("words", canary),
    if_match: fc.constantFrom("*", "v000", ...past.versions),
    version: fc.constantFrom("v000", "c000000000000", ...past.changes, ...past.versions),
    ref: fc.constantFrom("Other/Secret", "Mine/Page"),
    section: fc.constantFrom("Title", "Mine"),
    date: fc.constantFrom("2026-11-30", "../Other/Secret"),
  };
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (texts[name] !== undefined) return texts[name];
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "integer" || schema.type === "number") return fc.integer({ min: 0, max: 5 });
  if (schema.type === "array") return fc.constant([]);
  return fc.constantFrom("x", "Other/Secret");
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Calls of every tool that the caller sees, with arguments that fit the schema and mean harm. */
async function callsOf(
  { client }: SignInWorld,
  { token, past }: { readonly token: string; readonly past: OtherPast },
): Promise<fc.Arbitrary<Call>> {
  const tools = (await client.tools(token)).filter(({ name }) => name !== "server_status");
  assert.ok(tools.length > 15, String(tools.length));
  return fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
    const { properties = {}, required = [] } = inputSchema;
    const model = Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [key, valuesFor(key, schema, past)]),
    );
    return fc.tuple(fc.constant(name), fc.record(model, { requiredKeys: [...required] }));
  });
}

/** The other side edits a page and deletes one, so that there are a history and a trash to look into. */
async function liveOnTheOtherSide(world: SignInWorld, trash: string): Promise<OtherPast> {
  const other = await signIn(world, "Other", { sees: "Other/**", changes: "Other/**", profile: "full" });
  const facts = async (tool: string, input: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const { result } = await (await world.client.call(other, tool, input)).json();
    assert.notEqual(result.isError, true, JSON.stringify(result));
    return JSON.parse(result.content[0].text);
  };
  const made = await facts("create_page", { page: "Other/Gone", content: `words shared ${canary}\n` });
  const grown = await facts("append_to_page", { page: "Other/Secret", content: `words shared ${canary}` });
  const gone = await facts("delete_page", { page: "Other/Gone" });
  const done = [made, grown, gone];
  const past = {
    trashed: String(gone["trash_path"] ?? "_trash/2026-12/Other/Gone"),
    changes: done.flatMap(({ change }) => typeof change === "string" ? [change] : []),
    versions: done.flatMap(({ etag }) => typeof etag === "string" ? [etag] : []),
  };
  assert.ok(past.changes.length > 0 && past.versions.length > 0, JSON.stringify(done));
  assert.equal(gone["trash_path"] !== undefined, trash === "space");
  return past;
}

/** True when an answer holds what only the other side has. A caller's own words may come back to it. */
function tells(answer: string, input: Call[1]): boolean {
  if (!JSON.stringify(input).includes(canary)) return answer.includes(canary);
  return /words shared canary|# Title canary|canary-of-the-other-side task/.test(answer);
}

/** States that a space may be in: alone or with an index that still fills, asked one by one or all at once. */
const states = [
  { more: 0, lanes: 1, trash: "history" },
  { more: 0, lanes: 1, trash: "space" },
  { more: 200, lanes: 1, trash: "space" },
  { more: 0, lanes: 6, trash: "history" },
  { more: 200, lanes: 6, trash: "space" },
] as const;

/** More pages on both sides, so that the index is still filling when the first calls come. */
function pagesMore(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      [`Mine/More ${index}.md`, `words shared ${index}, see [[Other/Secret]]\n`],
      [`Other/More ${index}.md`, `words shared ${canary}, see [[Mine/Page]]\n`],
    ]).flat(),
  );
}

/**
 * Runs the calls of `seed` and returns how many of them got through to a tool. A failure tells the seed and every call
 * before it that was not refused, since a call meets what those before it have left.
 */
async function search(seed: number, { more, lanes, trash }: (typeof states)[number]): Promise<number> {
  let answered = 0;
  const env = { SILVERBRIDGE_TRASH: trash };
  await withSignIn({ env, space: { files: { ...files, ...pagesMore(more) } } }, async (world) => {
    const { client, app } = world;
    const past = await liveOnTheOtherSide(world, trash);
    const mine = await signIn(world, "Mine", { sees: "Mine/**", changes: "Mine/**", profile: "full" });
    const before = outside(world);
    const calls = fc.sample(await callsOf(world, { token: mine, past }), { numRuns: 300, seed }).entries();
    const done: string[] = [];
    const story = () =>
      `seed ${seed}, ${more} more pages, ${lanes} at once, trash in ${trash}; before it:\n${done.join("\n")}`;
    const lane = async () => {
      for (const [index, [tool, input]] of calls) {
        const text = await answerOf(client, mine, tool, input);
        const call = `${index} ${tool} ${JSON.stringify(input)}`;
        assert.equal(tells(text, input), false, `${call}: ${text}\n${story()}`);
        assert.equal(/error\\":\\"internal|-32603/.test(text), false, `${call}: ${text}\n${story()}`);
        if (!/invalid_argument|invalid-params|-32602/.test(text)) answered += 1;
        if (!text.includes('"isError"') && !text.includes('"error"')) done.push(call);
        // Another hand puts back what the calls moved and deleted, so that there is always something to reach from.
        if (index % 10 === 9) app.space.files.put("Mine/Page.md", files["Mine/Page.md"]);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    assert.equal(outside(world), before, `something outside was touched; ${story()}`);
  });
  return answered;
}

Deno.test("no argument of any tool crosses the limits that the owner set, however it is spelt", async () => {
  cites("oauth.rights");
  // Another one in every run. To see a failure again, put its seed here.
  const first = Math.floor(Math.random() * 2 ** 30);
  let answered = 0;
  for (const [index, state] of states.entries()) answered += await search(first + index, state);
  assert.ok(answered > 500, `most calls got through to a tool: ${answered} with seed ${first}`);
});

Deno.test("resources, templates and completions keep to the limits, too", async () => {
  cites("oauth.rights");
  await withSignIn({ space: { files } }, async (world) => {
    const mine = await signIn(world, "Mine", { sees: "Mine/**", changes: "Mine/**" });
    const ask = async (method: string, params: unknown) => {
      const request = mcpRequest(origin, { method, params }, {
        authorization: `Bearer ${mine}`,
        host: "notes.example.org",
      });
      return await (await world.app.fetch(request, "203.0.113.7")).text();
    };
    const list = await ask("resources/list", {});
    assert.match(list, /Mine/);
    assert.equal(/Other|canary/.test(list), false, list);
    for (const name of ["Other/Secret", "Mine%2F..%2FOther%2FSecret", "Other%2FSecret.md", "other/secret"]) {
      const read = await ask("resources/read", { uri: `silverbullet://page/${name}` });
      assert.equal(read.includes(canary), false, read);
      assert.match(read, /-32602/);
    }
    for (const typed of ["O", "Other/", "", "Sec", "c"]) {
      const completed = await ask("completion/complete", {
        ref: { type: "ref/resource", uri: "silverbullet://page/{+name}{?format}" },
        argument: { name: "name", value: typed },
      });
      assert.equal(/Other|canary/.test(completed), false, completed);
    }
  });
});

Deno.test("the operator's rule for a client binds it whatever the owner chose, by address and by redirect host", async () => {
  cites("oauth.rights");
  const rule = {
    name: "Only the inbox",
    match: { client: null, redirectHost: "client.example" },
    rights: { read: ["Mine/**"], append: ["Mine/Page"] },
    roots: [],
    profile: null,
    silverbulletToken: null,
  } as const;
  await withSignIn(
    { space: { files }, configure: (config) => ({ ...config, clients: [rule] }) },
    async (world) => {
      const token = await signIn(world, "Anybody", { access: "write", profile: "full" });
      const names = await world.client.toolNames(token);
      assert.ok(names.includes("append_to_page"));
      assert.equal(names.includes("write_page") || names.includes("delete_page"), false, names.join());
      const denied = await answerOf(world.client, token, "append_to_page", {
        page: "Mine/Deep/Page",
        content: "x",
      });
      assert.match(denied, /forbidden_path/);
      assert.match(
        await answerOf(world.client, token, "append_to_page", { page: "Mine/Page", content: "x" }),
        /etag/,
      );
      assert.equal(
        (await answerOf(world.client, token, "read_page", { page: "Other/Secret" })).includes(canary),
        false,
      );
      const status = await answerOf(world.client, token, "server_status", {});
      assert.match(status, /Only the inbox/);
    },
  );
});

Deno.test("a client that asked for reading alone is told by 403 what to ask for; whom the owner refused is not", async () => {
  cites("oauth.rights");
  await withSignIn({ space: { files } }, async (world) => {
    const { client, browser } = world;
    const redirectUri = "https://client.example/cb";
    const { client_id: id } = await client.register({ client_name: "Asker", redirect_uris: [redirectUri] });
    const tokenFor = async (scope: string, choices: Record<string, string>) => {
      const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri, scope });
      const code = (await browser.approve(url, choices)).searchParams.get("code") ?? "";
      return (await client.exchange({ code, client_id: String(id) })).accessToken;
    };
    const asked = await client.call(await tokenFor("read", {}), "write_page", {
      page: "Mine/Page",
      content: "x",
    });
    assert.equal(asked.status, 403);
    assert.equal(
      asked.headers.get("www-authenticate"),
      'Bearer realm="silverbridge", error="insufficient_scope", ' +
        'error_description="Changing pages needs the owner\'s approval for writing", ' +
        'resource_metadata="https://notes.example.org/.well-known/oauth-protected-resource/mcp", scope="read write"',
    );
    assert.equal((await asked.json()).error, "insufficient_scope");
    const refused = await client.call(await tokenFor("read write", { access: "read" }), "write_page", {
      page: "Mine/Page",
      content: "x",
    });
    assert.equal(refused.status, 200, "for it the tool does not exist");
    assert.match(await refused.text(), /Unknown tool/);
    assert.deepEqual(world.app.space.requests.changing(), []);
  });
});

Deno.test("a client of a rule with its own SilverBullet account writes under that account", async () => {
  const accounts = { token: "space-token-0123456789abcdefghijklm" };
  const rule = {
    name: "Own account",
    match: { client: null, redirectHost: "client.example" },
    rights: null,
    roots: "all",
    profile: null,
    silverbulletToken: "another-account-token-0123456789ab",
  } as const;
  await withSignIn(
    { space: { ...accounts, files }, configure: (config) => ({ ...config, clients: [rule] }) },
    async (world) => {
      const token = await signIn(world, "Own", {});
      const answer = await answerOf(world.client, token, "read_page", { page: "Mine/Page" });
      assert.match(
        answer,
        /upstream/,
        "the embedded server knows one account alone, and it was not that one",
      );
    },
  );
});
