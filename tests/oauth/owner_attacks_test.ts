/** What must not be possible at the owner's page, whoever sends what, and what its parts must never show. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { cites } from "../requirements.ts";
import { buttonForm, connect, type Connected, Owner } from "../support/owner_page.ts";
import { Browser, ownerSecret, type Page } from "../support/sign_in.ts";
import { origin, type SignInWorld, withSignIn } from "../support/sign_in_app.ts";
import { SoftwarePasskey } from "../support/software_passkey.ts";

const parts = ["/owner", "/owner/changes", "/owner/trash", "/owner/state"];
const cookie = "__Host-silverbridge-owner";

interface Attacked extends SignInWorld {
  readonly owner: Owner;
  readonly claude: Connected;
  readonly grant: string;
  /** True while nothing was done. */
  isUntouched(): Promise<boolean>;
}

/** An owner who is in, a client that is connected, a change to undo and a page in the trash. */
async function withAttacked(
  env: Readonly<Record<string, string>>,
  work: (world: Attacked) => Promise<void>,
): Promise<void> {
  await withSignIn({ env: { SILVERBRIDGE_ERROR_STYLE: "flag", ...env } }, async (world) => {
    const claude = await connect(world.browser, world.client);
    await claude.tool("create_page", { page: "Kept", content: "kept\n" });
    await claude.tool("create_page", { page: "Gone", content: "gone\n" });
    await claude.tool("delete_page", { page: "Gone" });
    const owner = new Owner(world.browser, origin);
    await owner.signIn();
    const grant = /name="grant" value="([^"]+)"/.exec((await owner.open()).html)?.[1] ??
      assert.fail("a grant");
    await work({
      ...world,
      owner,
      claude,
      grant,
      isUntouched: async () =>
        await world.client.opens(claude.token) &&
        (await claude.tool("page_exists", { page: "Kept" })).text.includes("true") &&
        (await claude.tool("page_exists", { page: "Gone" })).text.includes("false") &&
        (await owner.open("/owner/trash")).text.includes("Gone deleted") &&
        (await owner.open("/owner/state")).text.includes("There is none"),
    });
  });
}

/** Every form that does something, as its own page would send it: path and fields. */
async function forms({ owner, grant }: Attacked): Promise<ReadonlyArray<readonly [string, URLSearchParams]>> {
  const changes = await owner.open("/owner/changes");
  const undo = /href="(\/owner\/changes\?undo=\w+)">Undo<span class="unseen"> <bdi>Kept</.exec(changes.html)
    ?.[1];
  const pages: ReadonlyArray<readonly [Page, string]> = [
    [await owner.open(), "end"],
    [await owner.open(`/owner?client=${grant}`), "change"],
    [await owner.open(undo ?? assert.fail("an undo")), "undo"],
    [await owner.open("/owner/trash"), "restore"],
    [await owner.open("/owner/trash?empty=0"), "empty"],
    [await owner.open("/owner/state"), "passkey-add"],
    [await owner.open("/owner"), "sign-out"],
  ];
  return pages.map(([page, value]) => {
    const { action, fields } = buttonForm(page, value);
    if (value === "change") fields.set("access", "read");
    if (value === "empty") fields.set("secret", ownerSecret);
    if (value === "passkey-add") {
      const made = new SoftwarePasskey(origin).made(fields.get("challenge") ?? "");
      for (const [name, text] of Object.entries({ ...made, secret: ownerSecret })) fields.set(name, text);
    }
    return [action, fields];
  });
}

Deno.test("no form is taken from another site, without the session's own ticket, or in another shape", async () => {
  cites("owner.forms");
  await withAttacked({}, async (world) => {
    const { owner, fetch } = world;
    const other = new Owner(new Browser(fetch), origin);
    await other.signIn();
    const foreign = buttonForm(await other.open(), "sign-out").fields.get("ticket") ?? "";
    const door = /name="ticket" value="([^"]+)"/.exec(
      (await new Owner(new Browser(fetch), origin).open()).html,
    )?.[1];
    const isStill = async (what: string) => {
      assert.ok(await world.isUntouched(), what);
      assert.match((await owner.open()).text, /Sign out/, what);
    };
    for (const [path, good] of await forms(world)) {
      const sent = `${path} ${good.get("do")}`;
      const refused = async (
        what: string,
        headers: Record<string, string>,
        body: URLSearchParams | string = good,
      ) => {
        const response = await owner.send(path, body, headers);
        await response.body?.cancel();
        assert.ok([400, 403, 404, 415].includes(response.status), `${sent}: ${what}: ${response.status}`);
        assert.equal(response.headers.has("set-cookie"), false);
      };
      const ticket = (value: string | null) => {
        const fields = new URLSearchParams(good);
        fields.delete("ticket");
        if (value !== null) fields.set("ticket", value);
        return fields;
      };
      await refused("another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
      await refused("an old browser on another origin", {
        origin: "https://evil.example",
        "sec-fetch-site": "",
      });
      await refused("a sandboxed frame", { origin: "null" });
      await refused("a sister site", { "sec-fetch-site": "same-site" });
      await refused("a bookmark", { "sec-fetch-site": "none" });
      await refused("no ticket", {}, ticket(null));
      await refused("an empty ticket", {}, ticket(""));
      await refused("the ticket of another session", {}, ticket(foreign));
      await refused("the ticket of the door", {}, ticket(door ?? ""));
      await refused("a cut ticket", {}, ticket(good.get("ticket")?.slice(0, -1) ?? ""));
      await refused("two tickets", {}, `ticket=${foreign}&${good}`);
      await refused("JSON", { "content-type": "application/json" }, JSON.stringify(Object.fromEntries(good)));
      await refused("plain text", { "content-type": "text/plain" });
      await refused("several parts", { "content-type": "multipart/form-data; boundary=x" });
      await isStill(sent);
    }
    for (const [path, fields] of await forms(world)) {
      const [pathname = "", query = ""] = path.split("?");
      await owner.open(`${pathname}?${query}&${fields}`);
      const response = await owner.browser.send(origin + path, { method: "PUT", body: "x" });
      await response.body?.cancel();
      assert.equal(response.status, 405);
    }
    await isStill("nothing is done by a link");
    const unknown = await owner.send(
      "/owner",
      `ticket=${(await forms(world))[0]?.[1].get("ticket")}&do=purge-all`,
    );
    assert.equal(unknown.status, 404);
    const large = await owner.send("/owner", `ticket=${"x".repeat(70_000)}`);
    assert.equal(large.status, 413);
    await isStill("at the end");
  });
});

Deno.test("the same forms work when nothing is wrong with them, so that the table above says something", async () => {
  await withAttacked({}, async (world) => {
    for (const [path, fields] of (await forms(world)).toReversed()) {
      if (fields.get("do") === "sign-out" || fields.get("do") === "restore") continue;
      const response = await world.owner.send(path, fields);
      assert.equal(response.status, 303, `${path} ${fields.get("do")}: ${response.status}`);
    }
    assert.equal(await world.isUntouched(), false);
  });
});

Deno.test("forged, stolen and outlived cookies open nothing, and a form outlives no session", async () => {
  cites("owner.door", "owner.forms");
  await withAttacked({}, async (world) => {
    const { owner, browser, fetch, app } = world;
    const mine = browser.cookies.get(cookie) ?? assert.fail("a session");
    const kept = await forms(world);
    const state = new DatabaseSync(`${app.config.state.dir}/state.db`);
    const seals = state.prepare("SELECT seal FROM owner_sessions").all().map((row) => String(row["seal"]));
    state.close();
    const shows = async (header: string) => {
      const response = await fetch(`${origin}/owner`, { headers: { cookie: header } });
      return /<h1>([^<]*)/.exec(await response.text())?.[1];
    };
    assert.equal(await shows(`${cookie}=${mine}`), "Clients");
    const swapped = mine.toLowerCase() === mine ? mine.toUpperCase() : mine.toLowerCase();
    for (
      const header of [
        ...seals.map((seal) => `${cookie}=${seal}`),
        `${cookie}=${"A".repeat(43)}`,
        `${cookie}=${mine.slice(0, -1)}`,
        `${cookie}=${mine}x`,
        `${cookie}="${mine}"`,
        `${cookie}=${swapped}`,
        `${cookie}=${mine}; ${cookie}=${"A".repeat(43)}`,
        `silverbridge-owner=${mine}`,
        `owner=${mine}`,
        `__Host-silverbridge-browser=${mine}`,
        `__Host-silverbridge-form=${mine}`,
        `${cookie}=${browser.cookies.get("__Host-silverbridge-browser")}`,
        `${cookie}=' OR 1=1 --`,
        `${cookie}=`,
      ]
    ) assert.equal(await shows(header), "Sign in as the owner", header);
    await (await owner.press(await owner.open(), "sign-out")).body?.cancel();
    browser.cookies.set(cookie, mine);
    assert.equal(await shows(`${cookie}=${mine}`), "Sign in as the owner");
    for (const [path, fields] of kept) {
      const response = await owner.send(path, fields);
      assert.equal(response.status, 400, path);
      assert.match(await response.text(), /Nothing was\s+done/);
    }
    browser.cookies.delete(cookie);
    await owner.signIn();
    for (const [path, fields] of kept) {
      const response = await owner.send(path, fields);
      await response.body?.cancel();
      assert.equal(response.status, 403, "the form of an earlier session of the same browser");
    }
    assert.ok(await world.isUntouched());
    const everything = app.lines.join("\n") + await Deno.readTextFile(`${app.config.state.dir}/state.db`);
    for (const secret of [mine, browser.cookies.get(cookie) ?? "", ownerSecret]) {
      assert.equal(everything.includes(secret), false);
    }
  });
});

Deno.test("the form of the door counts once, in its browser, for its part, and is no way around the wait", async () => {
  cites("owner.door");
  await withSignIn({}, async ({ fetch, browser }) => {
    const owner = new Owner(browser, origin);
    const { fields } = buttonForm(await owner.open(), "sign-in", { secret: ownerSecret });
    const stranger = new Owner(new Browser(fetch), origin);
    await stranger.open();
    for (const [who, path] of [[stranger, "/owner"], [owner, "/owner/trash"]] as const) {
      const response = await who.send(path, fields);
      assert.deepEqual([response.status, who.browser.cookies.has(cookie)], [400, false], path);
      await response.body?.cancel();
    }
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const response = await owner.send("/owner", fields, headers);
      await response.body?.cancel();
      assert.equal(response.status, 403);
    }
    const guesses = await Promise.all(
      Array.from(
        { length: 30 },
        () => owner.send("/owner", new URLSearchParams({ ...Object.fromEntries(fields), secret: "guess" })),
      ),
    );
    const judged = guesses.filter(({ status }) => status === 401).length;
    await Promise.all(guesses.map((response) => response.body?.cancel()));
    assert.equal(judged, 3, "of thirty guesses at once three are judged");
    const right = await owner.send("/owner", fields);
    await right.body?.cancel();
    assert.deepEqual([right.status, browser.cookies.has(cookie)], [429, false]);
  });
});

Deno.test("names and texts full of markup are shown as they are, in every part", async () => {
  cites("owner.strangers");
  const evil = `"><img src=x onerror=alert(1)>'</script><script>alert(2)</script>`;
  await withSignIn({ env: { SILVERBRIDGE_ERROR_STYLE: "flag" } }, async ({ browser, client, space }) => {
    const bad = await connect(browser, client, { name: `Bad ${evil} \u202e gnp.exe` });
    const limited = await connect(browser, client, {
      name: "<b>Limited</b>",
      redirect: "http://localhost:9/cb",
      changes: { sees: "<i>x</i>/**", changes: "<i>x</i>/**" },
    });
    const page = `Sub/"><img src=x onerror=alert(1)>'`;
    assert.ok((await bad.tool("create_page", { page: "Plain", content: `${evil}\n\u202eevil\u2066\n` })).ok);
    for (const name of [page, "Sub/'onmouseover='alert(1)", "Sub/&lt;b&gt;", "Sub/javascript:alert(1)"]) {
      await bad.tool("create_page", { page: name, content: "x\n" });
      await bad.tool("move_page", { from: name, to: `${name} 2` });
    }
    await bad.tool("delete_page", { page: "Plain" });
    await limited.tool("create_page", { page, content: "x" });
    await limited.tool("create_page", { page: "<u>no</u>", content: "x" });
    const owner = new Owner(browser, origin);
    await owner.signIn();
    const shown = [
      ...parts,
      "/owner/trash?empty=0",
      "/owner/changes?page=%22%3E%3Cscript%3E&by=%22%3E%3Cscript%3E",
    ];
    const first = await owner.open();
    for (const [, grant] of first.html.matchAll(/name="grant" value="([^"]+)"/g)) {
      shown.push(`/owner?client=${grant}`);
    }
    const changes = await owner.open("/owner/changes");
    for (const [, path] of changes.html.matchAll(/href="([^"]*undo=\w+)"/g)) shown.push(path ?? "");
    assert.ok(shown.length > 10, `${shown.length} pages`);
    for (const path of shown) {
      const { html, status } = await owner.open(path);
      assert.equal(status, 200, path);
      const harmful = /<(?:script|img|b|u|i|svg|iframe)\b|<[^>]*\son\w+\s*=[^>]*>|="\s*javascript:/i.exec(
        html.replace('<script src="/owner/passkeys.js" defer></script>', "").replace(
          /="[^"]*"/g,
          (value) => value.replaceAll(/[\s=]/g, ""),
        ),
      );
      assert.equal(harmful, null, `${path}: ${harmful?.[0]}`);
      assert.equal(/[\u202a-\u202e\u2066-\u2069]/.test(html), false, `${path} reorders what is shown`);
      for (const [, address = ""] of html.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        assert.ok(/^(?:data:,$|#|\/)/.test(address) || address.startsWith(`${space()}/`), address);
      }
    }
    assert.match(changes.text, /- U\+202E evil U\+2066/);
    assert.ok(first.text.includes("<b>Limited</b>"));
  });
});

Deno.test("hidden pages are on no part, whenever they were hidden, whoever asks for them in whatever way", async () => {
  cites("owner.strangers");
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const files = { "Zebra/Plan.md": "the plan\n", "Open.md": "open\n" };
  const ids: string[] = [];
  try {
    await withSignIn(
      { env: { SILVERBRIDGE_STATE_DIR: stateDir, SILVERBRIDGE_ERROR_STYLE: "flag" }, space: { files } },
      async ({ browser, client }) => {
        const claude = await connect(browser, client, { changes: { changes: "*/**\nOpen" } });
        const change = async (tool: string, input: unknown) => {
          const { ok, text } = await claude.tool(tool, input);
          assert.ok(ok, text);
          ids.push(/"change":"(\w+)"/.exec(text)?.[1] ?? assert.fail(text));
        };
        await change("append_to_page", { page: "Zebra/Plan", content: "whispered words\n" });
        await change("create_page", { page: "Zebra/Gone", content: "whispered too\n" });
        await change("delete_page", { page: "Zebra/Gone" });
        await change("move_page", { from: "Open", to: "Zebra/Open" });
        await claude.tool("create_page", { page: "Elsewhere", content: "x" });
        await claude.tool("append_to_page", { page: "Zebras", content: "x" });
      },
    );
    const hidden = { SILVERBRIDGE_STATE_DIR: stateDir, SILVERBRIDGE_HIDDEN_PATHS: "Zebra/**,Zebras" };
    for (const more of [{}, { SILVERBRIDGE_READ_ONLY: "true" }]) {
      await withSignIn({ env: { ...hidden, ...more }, space: { files } }, async ({ browser, app }) => {
        const owner = new Owner(browser, origin);
        await owner.signIn();
        const asked = [
          ...parts,
          "/owner/trash?empty=0",
          ...[
            "Zebra/Plan",
            "zebra/plan",
            "Zebra%2FGone",
            "Zebra/Plan.md",
            "Zebra/Open",
            "Open",
            "Zebras",
          ].map((page) => `/owner/changes?page=${page}`),
          ...ids.map((id) => `/owner/changes?undo=${id}`),
        ];
        for (const path of asked) {
          const { html } = await owner.open(path);
          const typed = /id="page" name="page"\s+type="text"\s+value="[^"]*"/.exec(html)?.[0] ?? "";
          assert.equal(/zebra|whispered/i.test(html.replace(typed, "")), false, path);
        }
        const trash = await owner.open("/owner/trash");
        const ticket = buttonForm(await owner.open(), "sign-out").fields.get("ticket") ?? "";
        for (const id of ids) {
          const before = [...app.space.files.paths()].sort();
          for (
            const [path, fields] of [["/owner/changes", `do=undo&change=${id}`], [
              "/owner/trash",
              `do=restore&change=${id}`,
            ], ["/owner/trash", "do=restore&copy=Zebra/Gone"]]
          ) {
            const response = await owner.send(path ?? "", `ticket=${ticket}&${fields}`);
            const text = await response.text();
            assert.ok(response.status >= 400, `${fields}: ${response.status}`);
            assert.equal(/whispered/.test(text), false);
          }
          assert.deepEqual([...app.space.files.paths()].sort(), before);
        }
        assert.equal(/Gone/.test(trash.text), false);
        const changes = await owner.open("/owner/changes");
        assert.match(
          changes.text,
          /wanted create_page on Elsewhere/,
          "other refusals are told with their page",
        );
        assert.match(changes.text, /wanted append_to_page : it may not/);
      });
    }
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("malformed, repeated, huge and strange queries and fields are answered as pages, without a fault", async () => {
  cites("owner.strangers");
  await withAttacked({}, async (world) => {
    const { owner, app } = world;
    const values = [
      "%",
      "%ff%fe",
      "%00",
      "%0d%0aset-cookie:x=1",
      "..%2f..%2fetc%2fpasswd",
      "-1",
      "1e99",
      "99999999999999999999",
      "c000000000000",
      "m000000000000",
      "%F0%9F%98%80",
      "%ed%a0%80",
      "a".repeat(9000),
      "' OR 1=1 --",
      "[object Object]",
      "constructor",
      "__proto__",
    ];
    for (const name of ["undo", "before", "by", "page", "client", "empty", "done", "undo=x&undo"]) {
      for (const value of values) {
        for (const part of parts) {
          const page = await owner.open(`${part}?${name}=${value}`);
          assert.ok(page.status < 500, `${part}?${name}=${value.slice(0, 50)}: ${page.status}`);
          assert.equal(page.headers.has("x"), false);
          assert.equal(page.headers.get("cache-control"), "no-store");
        }
      }
    }
    const many = Array.from({ length: 700 }, (_, each) => `page=${each}`).join("&");
    assert.equal((await owner.open(`/owner/changes?${many}`)).status, 200);
    const ticket = buttonForm(await owner.open(), "sign-out").fields.get("ticket") ?? "";
    for (const part of parts) {
      for (const wanted of ["end", "change", "undo", "restore", "empty", "sign-up", ""]) {
        for (
          const fields of [
            "",
            "grant=x&change=x&copy=x&empty=x",
            "grant=%ff&change=%ff&copy=%ff",
            "copy=..%2f..%2fx&grant=__proto__",
          ]
        ) {
          const response = await owner.send(
            `${part}?empty=${fields.length}`,
            `ticket=${ticket}&do=${wanted}&${fields}`,
          );
          await response.body?.cancel();
          assert.ok(response.status < 500, `${part} ${wanted} ${fields}: ${response.status}`);
        }
      }
    }
    assert.ok(await world.isUntouched());
    assert.equal(app.lines.some((line) => line.includes('"incident"')), false, "no fault in the log");
    for (
      const path of ["/owner/", "/Owner", "/owner/changes/", "/owner/../owner", "/owner%2fchanges", "//owner"]
    ) {
      const response = await owner.browser.send(origin + path);
      const text = await response.text();
      assert.ok(path.includes("..") || response.status === 404, path);
      assert.equal(text.includes("Kept"), false);
    }
  });
});

Deno.test("histories of any length, thousands of grants and sessions take one short page each", async () => {
  await withAttacked({}, async ({ owner, app, browser, fetch }) => {
    const state = new DatabaseSync(`${app.config.state.dir}/state.db`);
    state.exec("BEGIN");
    const change = state.prepare(`
      INSERT INTO changes (id, time, path, action, outcome, principal, tool, request)
      VALUES (?, ?, ?, ?, 'applied', ?, 'write_page', 'r')`);
    const now = Date.now();
    for (let each = 0; each < 100_000; each++) {
      const id = `c${each.toString(36).padStart(12, "0")}`;
      change.run(
        id,
        now + each,
        `Page ${each % 5000}.md`,
        each % 3 === 0 ? "delete" : "write",
        `grant:g${each % 300}`,
      );
    }
    const [grant] = state.prepare("SELECT * FROM grants").all();
    const add = state.prepare(
      "INSERT INTO grants (id, client, approval, made, used, expires, ends) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    for (let each = 0; each < 5000; each++) {
      add.run(
        `g${each}`,
        `c${each}`,
        String(grant?.["approval"]),
        now,
        now,
        now + (each % 2 === 0 ? 1e9 : -1),
        now + 1e9,
      );
    }
    state.exec("COMMIT");
    state.close();
    const begun = performance.now();
    for (
      const path of [
        ...parts,
        "/owner/changes?by=grant:g7",
        "/owner/changes?by=grant:none",
        "/owner/changes?before=50000",
        "/owner/trash?empty=0",
      ]
    ) {
      const page = await owner.open(path);
      assert.equal(page.status, 200, path);
      assert.ok(page.html.length < 400_000, `${path} has ${page.html.length} characters`);
    }
    assert.ok(performance.now() - begun < 60_000, "a watchdog");
    const clients = await owner.open();
    assert.match(clients.text, /2401 more are connected/);
    for (let each = 0; each < 25; each++) await new Owner(new Browser(fetch), origin).signIn();
    assert.match(
      (await owner.open()).text,
      /Sign in as the owner/,
      "the oldest of more than twenty sessions is over",
    );
    assert.ok(browser.cookies.size > 0);
  });
});
