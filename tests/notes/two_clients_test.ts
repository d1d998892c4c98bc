/** Two clients that both read and both write, and one that writes alone, over servers of both dialects. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withServerTools } from "../support/note_tools.ts";

interface Race {
  readonly what: string;
  readonly before: string;
  readonly first: string;
  readonly second: string;
  /** A line of the diff that the second client must be shown. */
  readonly shown: string;
  /** Puts back the time that the page had before. */
  readonly restoreTime?: boolean;
}

const races: readonly Race[] = [
  {
    what: "an edit",
    before: "# A\none\ntwo\n",
    first: "# A\none\ntwo\nthree\n",
    second: "# A\nzero\none\ntwo\n",
    shown: "+three",
  },
  {
    what: "an edit of equal length",
    before: "# A\none\ntwo\n",
    first: "# A\nONE\ntwo\n",
    second: "# A\none\nTWO\n",
    shown: "+ONE",
  },
  {
    what: "an edit of equal length with the old time",
    before: "# A\none\ntwo\n",
    first: "# A\nONE\ntwo\n",
    second: "# A\none\nTWO\n",
    shown: "+ONE",
    restoreTime: true,
  },
  {
    what: "an edit of a CRLF page",
    before: "# A\r\none\r\ntwo",
    first: "# A\r\nONE\r\ntwo",
    second: "# A\r\none\r\nTWO",
    shown: "+ONE",
  },
  {
    what: "line breaks alone",
    before: "# A\none\n",
    first: "# A\r\none\r\n",
    second: "# A\none more\n",
    shown: "+# A",
  },
];

for (const generation of ["go-2.1.2", "go-2.9", "2.12"] as const) {
  Deno.test(`the second of two clients is shown what the first one wrote, and overwrites nothing (${generation})`, async () => {
    cites("notes.stale-version");
    await withServerTools({ generation }, async ({ call, server }) => {
      const [first, second] = [{ id: "token:first" }, { id: "token:second" }];
      for (const [index, race] of races.entries()) {
        const page = `Race ${index}`;
        const path = `${page}.md`;
        const { modified } = server.files.put(path, race.before, { modified: 1_700_000_000_000 });
        const one = await call("read_page", { page }, first);
        const two = await call("read_page", { page }, second);
        assert.equal(two.texts[1], race.before);
        const won = await call(
          "write_page",
          { page, content: race.first, if_match: one.json["etag"] },
          first,
        );
        assert.equal(won.outcome.kind, "done", race.what);
        if (race.restoreTime) server.files.put(path, race.first, { modified });

        const write = { page, content: race.second, if_match: two.json["etag"] };
        const lost = await call("write_page", write, second);
        assert.deepEqual([lost.json["error"], lost.json["status"]], ["conflict", 409], race.what);
        assert.ok(String(lost.json["diff"]).split(/\r?\n/).includes(race.shown), JSON.stringify(lost.json));
        assert.equal(server.files.text(path), race.first, race.what);

        // The whole page was shown with it, so its version may be used.
        const over = await call("write_page", { ...write, if_match: lost.json["etag"] }, second);
        assert.equal(over.outcome.kind, "done", JSON.stringify(over.json));
        assert.equal(server.files.text(path), race.second, race.what);
      }
    });
  });

  Deno.test(`one client writes a page a thousand times without a conflict (${generation})`, async () => {
    cites("notes.no-lost-update");
    await withServerTools({ generation }, async ({ call, server }) => {
      const text = (write: number) => `# Counter\n${String(write).padStart(4, "0")}\n`;
      let { etag } = (await call("create_page", { page: "Counter", content: text(0) })).json;
      for (let write = 1; write <= 1000; write++) {
        const answer = await call("write_page", { page: "Counter", content: text(write), if_match: etag });
        assert.equal(answer.outcome.kind, "done", `${write}: ${JSON.stringify(answer.json)}`);
        etag = answer.json["etag"];
      }
      assert.equal(server.files.text("Counter.md"), text(1000));
    });
  });
}
