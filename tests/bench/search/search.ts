/**
 * Measures searching as a client meets it: the running program over HTTP in front of a space. Filling, memory, questions
 * warm and cold, bytes of answers, and on the reference data how good they are. About five minutes.
 *
 *     deno run -A tests/bench/search/search.ts [--pages 1000,10000] [--only made,reference] [--sources] [--json FILE]
 *     deno run -A tests/bench/search/search.ts --space URL --space-token TOKEN [--folder PATH]
 *
 * `made` are spaces of pages of 3 KB, `reference` the real pages beside the project, where they are. The second form
 * measures a SilverBullet server that runs already, with the reference data's questions, and writes nothing to it.
 */

import { parseArgs } from "node:util";
import { bundleProgram } from "../../../.ci/bundle.ts";
import { startChild } from "../children.ts";
import { describeMachine } from "../machine.ts";
import { Report } from "../report.ts";
import { measureFilling, measureRestart } from "./filling.ts";
import { measurePayload, measureRetrieval, referenceQuestions } from "./quality.ts";
import { type Kinds, madeQuestions, measureCold, measureTogether, measureWarm } from "./questions.ts";
import { type Place, Session } from "./session.ts";
import { hasData, pagesBelow, withVault } from "./vault.ts";

interface Measured {
  readonly name: string;
  readonly place: Place;
  readonly page: string;
  readonly kinds: Kinds;
}

async function measure(
  report: Report,
  { name, place, page, kinds }: Measured,
  more: (session: Session) => Promise<void> = async () => {},
): Promise<void> {
  const session = await Session.open(place);
  try {
    await measureFilling(report, session, { name, page });
    await more(session);
    await measureWarm(report, session, { name, kinds });
    const [make] = Object.values(kinds);
    if (make !== undefined) await measureTogether(report, session, { name, make });
    await measureRestart(report, session, { name, page });
    await measureCold(report, session, { name, kinds });
  } finally {
    await session.close();
  }
}

async function measureMade(report: Report, pages: number, script: string | undefined): Promise<void> {
  const space = await startChild("search/space.ts", [String(pages), "2.12"]);
  try {
    await measure(report, {
      name: `${pages} pages of 3 KB`,
      place: { space: space.line, script },
      page: "Folder 1/Page 1",
      kinds: madeQuestions(pages),
    });
  } finally {
    await space.end();
  }
}

async function measureReference(report: Report, name: string, script: string | undefined): Promise<void> {
  await withVault(name, async (folder) => {
    const [page = ""] = await pagesBelow(folder);
    const space = await startChild("search/space.ts", [folder, "2.12"]);
    try {
      await measure(report, {
        ...{ name, page: page.replace(/\.md$/, ""), kinds: { "its own": referenceQuestions() } },
        place: { space: space.line, script },
      }, (session) => measureAnswers(report, session, name));
    } finally {
      await space.end();
    }
  });
}

async function measureAnswers(report: Report, session: Session, name: string): Promise<void> {
  if (!name.endsWith("1k")) await measureRetrieval(report, session, name);
  await measurePayload(report, session, name);
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "pages": { type: "string", default: "1000,10000" },
      "only": { type: "string", default: "made,reference" },
      "sources": { type: "boolean", default: false },
      "json": { type: "string" },
      "space": { type: "string" },
      "space-token": { type: "string" },
      "folder": { type: "string" },
    },
  });
  const machine = describeMachine();
  console.log(machine);
  const report = new Report();
  const script = values.sources ? undefined : (await bundleProgram("dist/bench")).main;
  if (values.space !== undefined) {
    const place = { space: values.space, token: values["space-token"], folder: values.folder, script };
    const kinds = { "the reference data's": referenceQuestions() };
    await measure(
      report,
      { name: "given", place, page: "index", kinds },
      (session) => measureAnswers(report, session, "given"),
    );
  } else {
    const parts = values.only.split(",");
    if (parts.includes("made")) {
      for (const pages of values.pages.split(",")) await measureMade(report, Number(pages), script);
    }
    if (parts.includes("reference") && hasData) {
      for (const name of ["seekstone-1k", "seekstone-10k"]) await measureReference(report, name, script);
    } else if (parts.includes("reference")) console.log("\nThe reference data is not beside the project.");
  }
  console.log(`\n${describeMachine()}`);
  if (values.json !== undefined) {
    await Deno.writeTextFile(values.json, JSON.stringify({ machine, ...report.sections }, null, 2));
  }
}

if (import.meta.main) await main(Deno.args);
