/**
 * Measures reading documents: the whole time of a child process from its start to its end, the time of the parsers alone, in
 * this process, and the largest resident memory of the child. Each real document beside the project, then large made ones.
 *
 *     deno run -A tests/bench/documents.ts
 *
 * The shortest of seven, since others who share the machine only ever add time, and the largest memory. Memory needs Linux; without the reference data only the made documents are read.
 */

import { defaultLimits, type DocumentFormat, formatOfName } from "../../src/documents/outcome.ts";
import { readDocument } from "../../src/documents/read_document.ts";
import { documentRequest, readInChild } from "../support/extract.ts";
import { noise } from "../support/hostile_documents.ts";
import { makeDocx, makePptx, makeXlsx, paragraph, shape, textRow } from "../support/office_maker.ts";
import { makeTextPdf } from "../support/pdf_maker.ts";
import { describeMachine } from "./machine.ts";
import { Report } from "./report.ts";

const office = new URL("../../../shared/data/office/", import.meta.url);
const rounds = 7;

const report = new Report();
console.log(describeMachine());
for (const { name, format, bytes } of realDocuments()) {
  await measure("Real documents", { name, format, bytes });
}
for (const { name, format, bytes } of madeDocuments()) {
  await measure("Made documents", { name, format, bytes });
}

interface Sample {
  readonly name: string;
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function realDocuments(): Sample[] {
  const found: Sample[] = [];
  for (const folder of ["pdf", "docx", "pptx", "xlsx"]) {
    for (const name of namesIn(new URL(`${folder}/`, office))) {
      const format = formatOfName(name);
      if (format !== null) {
        found.push({ name, format, bytes: Deno.readFileSync(new URL(`${folder}/${name}`, office)) });
      }
    }
  }
  return found;
}

function namesIn(folder: URL): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  } catch {
    return [];
  }
}

function madeDocuments(): Sample[] {
  const words = (seed: number) => noise(60, seed).toHex().replace(/(.{7})/g, "$1 ");
  const many = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
  return [
    { name: "2,000 pages", format: "pdf", bytes: makeTextPdf(many(2000, words)) },
    {
      name: "30,000 paragraphs",
      format: "docx",
      bytes: makeDocx(many(30_000, (at) => paragraph(words(at))).join("")),
    },
    {
      name: "900 slides",
      format: "pptx",
      bytes: makePptx(many(900, (at) => ({ shapes: shape([words(at), words(at + 1)]) })), {}),
    },
    {
      name: "20 sheets of 2,000 rows of 6",
      format: "xlsx",
      bytes: makeXlsx(many(20, (sheet) => ({
        name: `Sheet ${sheet}`,
        rows: many(2000, (row) => textRow(row + 1, many(6, (cell) => `${sheet} ${row} ${cell}`))).join(""),
      }))),
    },
  ];
}

async function measure(section: string, { name, format, bytes }: Sample): Promise<void> {
  const request = documentRequest(format, { limits: { ...defaultLimits, maxMembers: 2000 } });
  const [whole, parsers, peaks]: [number[], number[], number[]] = [[], [], []];
  let outcome = "";
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const peak = watchChildren();
    const result = await readInChild(bytes.slice(), request);
    whole.push(performance.now() - begun);
    peaks.push(peak.end());
    outcome = result.kind === "text"
      ? `${result.text.length} characters`
      : result.kind === "rejected"
      ? result.reason
      : result.kind;
    const alone = performance.now();
    await readDocument(bytes.slice(), request);
    parsers.push(performance.now() - alone);
  }
  report.add(section, {
    document: `${name} (${format})`,
    KB: bytes.byteLength / 1000,
    outcome,
    "child, ms": Math.min(...whole),
    "parsers alone, ms": Math.min(...parsers),
    "peak of the child, MB": Math.max(...peaks),
  });
}

/** Follows the largest resident memory that any child of this process had, in megabytes. */
function watchChildren(): { end(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of childPids()) peak = Math.max(peak, highWaterMark(pid));
  }, 5);
  return {
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

function childPids(): string[] {
  try {
    return Deno.readTextFileSync(`/proc/self/task/${Deno.pid}/children`).split(" ").filter((pid) =>
      pid !== ""
    );
  } catch {
    return [];
  }
}

function highWaterMark(pid: string): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
