/** A hidden page stays hidden by every way in, however its accents are stored and however the glob's were typed. */

import assert from "node:assert/strict";
import { mcpRequest, withApp } from "../support/app.ts";
import { cites } from "../requirements.ts";

const canary = "canaryofthehidden";
const folder = "Geheim\u00e9";

type Form = "NFC" | "NFD";

function filesOf(form: Form): Record<string, string> {
  const name = folder.normalize(form);
  const text =
    `---\nkind: ${canary}\n---\n# ${canary}\n\nshared [[Open]] #shared/${canary}\n\n* [ ] ${canary}\n`;
  return {
    "Open.md": `shared, see [[${name}/Plan]] #shared\n\n* [ ] open\n`,
    [`${name}/Plan.md`]: text,
    [`${name}/Journal/2026-11-30.md`]: text,
    [`${name}/Plan.conflicted:1730000000000.md`]: text,
    [`_trash/2026-11/${name}/Old.md`]: text,
    [`_trash/2026-11/${name}/Old-1730000000000.md`]: text,
    "Both.md": "shared\n",
  };
}

/** Questions that would bring the hidden page up if it were there for this caller. `name`: as the page is stored. */
function questions(name: string): ReadonlyArray<readonly [method: string, params: Record<string, unknown>]> {
  const page = `${name}/Plan`;
  const tool = (called: string, args: Record<string, unknown>) =>
    ["tools/call", { name: called, arguments: args }] as const;
  return [
    tool("read_page", { page }),
    tool("page_exists", { page }),
    tool("diff_pages", { page: "Open", other_page: page }),
    tool("list_pages", { include_trash: true, kind: "all" }),
    tool("list_pages", { prefix: name.slice(0, 4) }),
    tool("search_pages", { query: "shared", include_trash: true }),
    tool("search_pages", { query: canary }),
    tool("search_pages", { query: `tag:shared` }),
    tool("find_backlinks", { page: "Open" }),
    tool("list_tasks", {}),
    tool("pages_touching_topic", { query: "shared" }),
    tool("recent_pages", { limit: 50 }),
    tool("tag_summary", {}),
    tool("journal_histogram", {}),
    tool("page_history", { page }),
    tool("restore_page", { page }),
    tool("restore_page", { page: `${name}/Old` }),
    tool("list_conflicts", {}),
    tool("resolve_conflict", { page, keep: "ours" }),
    tool("changes_since", {}),
    tool("context_pack", { question: "shared" }),
    tool("append_to_page", { page, content: "x" }),
    tool("move_page", { from: page, to: "Moved" }),
    tool("move_page", { from: "Both", to: page }),
    tool("delete_page", { page }),
    tool("undo", {}),
    ["resources/list", {}],
    ["resources/read", { uri: `silverbullet://page/${encodeURIComponent(name)}/Plan` }],
    ["completion/complete", {
      ref: { type: "ref/resource", uri: "silverbullet://page/{+name}{?format}" },
      argument: { name: "name", value: name.slice(0, 4) },
    }],
  ];
}

/** What an answer tells of the hidden page: its text, or its name where the question did not hold it. */
function tells(answer: string, asked: string): boolean {
  const text = answer.normalize("NFC");
  if (asked.includes(canary)) return text.includes(`# ${canary}`) || text.includes("kind:");
  return text.includes(canary) || !asked.normalize("NFC").includes(folder) && text.includes(`${folder}/`);
}

const forms: ReadonlyArray<readonly [typed: Form, stored: Form]> = [["NFC", "NFD"], ["NFD", "NFC"]];
for (const [typed, stored] of forms) {
  Deno.test(`a page stored in ${stored} is hidden by a glob typed in ${typed}, in every answer`, async () => {
    cites("rights.hidden-forms");
    const env = {
      SILVERBRIDGE_HIDDEN_PATHS: `${folder.normalize(typed)}/**`,
      SILVERBRIDGE_PROFILE: "full",
    };
    await withApp({ env, space: { files: filesOf(stored) } }, async (app) => {
      const ask = async (method: string, params: Record<string, unknown>) => {
        const request = mcpRequest("http://127.0.0.1:8787", { method, params }, { host: "127.0.0.1:8787" });
        return await (await app.fetch(request)).text();
      };
      const before = JSON.stringify(app.space.files.paths());
      const seen = await ask("tools/call", { name: "search_pages", arguments: { query: "open" } });
      assert.match(seen, /Open/, "searching works");
      for (const [method, params] of questions(folder.normalize(stored))) {
        const asked = JSON.stringify(params);
        const answer = await ask(method, params);
        // The open page's own text and links name it: that is the owner's to know.
        const told = answer.replaceAll(`[[${folder.normalize(stored)}/Plan]]`, "");
        assert.equal(tells(told, asked), false, `${asked}: ${answer}`);
        assert.doesNotMatch(answer, /internal|-32603/, asked);
      }
      assert.equal(JSON.stringify(app.space.files.paths()), before, "nothing of it moved or went");
    });
  });
}
