import assert from "node:assert/strict";
import { openIndexFile } from "../../state/index_file.ts";
import { indexSchema } from "../store/schema.ts";
import { stem } from "./stem.ts";

/** Words that exercise every rule, alone and put together. */
function words(): string[] {
  const beginnings = [
    "a",
    "be",
    "cr",
    "hop",
    "hopp",
    "fall",
    "fail",
    "sky",
    "try",
    "y",
    "yell",
    "oper",
    "gener",
    "relat",
    "condit",
    "digit",
    "radic",
    "electr",
    "triplic",
    "form",
    "sens",
    "adopt",
    "effect",
    "trou",
    "siz",
    "conflat",
    "plast",
    "feed",
    "agr",
    "mot",
    "sing",
    "caress",
    "pon",
    "ti",
    "cat",
    "rat",
    "control",
    "roll",
    "bow",
    "tax",
    "spray",
  ];
  const endings = [
    "",
    "s",
    "es",
    "ies",
    "sses",
    "ss",
    "eed",
    "ed",
    "ing",
    "y",
    "ational",
    "tional",
    "enci",
    "anci",
    "izer",
    "logi",
    "bli",
    "alli",
    "entli",
    "eli",
    "ousli",
    "ization",
    "ation",
    "ator",
    "alism",
    "iveness",
    "fulness",
    "ousness",
    "aliti",
    "iviti",
    "biliti",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "sion",
    "tion",
    "ion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "e",
    "ll",
    "lle",
    "ying",
    "yed",
  ];
  return [...new Set(beginnings.flatMap((begin) => endings.map((ending) => begin + ending)))];
}

Deno.test("stem() makes of every word what the full-text engine makes of it", () => {
  const { db, close } = openIndexFile({ dir: null, schema: indexSchema, version: 1 });
  try {
    const all = [...words(), "café", "naïve", "x".repeat(64), `${"x".repeat(62)}ing`, "2026s", "c3po's"];
    const insert = db.prepare("INSERT INTO words (rowid, body) VALUES (?, ?)");
    for (const [index, word] of all.entries()) insert.run(index + 1, word);
    db.exec("CREATE VIRTUAL TABLE places USING fts5vocab(words, 'instance')");
    const rows = db.prepare("SELECT doc, group_concat(term, ' ') AS terms FROM places GROUP BY doc").all();
    assert.equal(rows.length, all.length);
    const wrong = rows.flatMap((row) => {
      const word = all[Number(row["doc"]) - 1] ?? "";
      const made = word.split("'").map((part) => stem(part.normalize("NFD").replace(/\p{M}/gu, ""))).join(
        " ",
      );
      return made === row["terms"] ? [] : [`${word}: ${row["terms"]}, not ${made}`];
    });
    assert.deepEqual(wrong, []);
  } finally {
    close();
  }
});
