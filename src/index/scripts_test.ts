/** The same word in other spellings: scripts, points, versions, numbers. Each stands on the third line of its page. */

import assert from "node:assert/strict";
import { everything, indexOf } from "../../tests/support/index.ts";
import { cites } from "../../tests/requirements.ts";

const pages: readonly (readonly [string, string, readonly string[]])[] = [
  ["Arabic", "كِتَابٌ جَمِيلٌ عَنِ البَحْرِ", ["كتاب", "كِتَاب", "جميل", "البحر"]],
  ["Alef", "أحمد ذهب إلى المدرسة", ["أحمد", "احمد", "المدرسة", "المدرسه"]],
  ["Tatweel", "محـــمود هنا", ["محمود"]],
  ["Hebrew", "שָׁלוֹם לְכוּלָם", ["שלום", "שָׁלוֹם", "לכולם"]],
  ["Hindi", "नमस्ते दुनिया", ["नमस्ते", "दुनिया"]],
  ["Greek", "Καλημέρα κόσμε ΟΔΥΣΣΕΎΣ", ["καλημερα", "κόσμε", "οδυσσεύς"]],
  ["Russian", "Ёлка и ёжик в тумане", ["ёлка", "елка", "ЕЖИК", "тумане"]],
  ["Vietnamese", "Phở bò ở Hà Nội, đường phố", ["pho bo", "ha noi", "duong", "Phở"]],
  ["Turkish", "Diyarbakır ışık", ["diyarbakir", "ışık", "isik"]],
  ["Thai", "สวัสดีครับ ยินดีต้อนรับสู่กรุงเทพ", ["สวัสดี", "กรุงเทพ", "ต้อนรับ"]],
  ["Hangul", "부산 김치찌개".normalize("NFD"), ["부산", "찌개"]],
  ["Mixed", "iPhone15で写真をとる", ["iPhone15", "写真"]],
  ["Astral", "𠮷野家で食べた", ["𠮷野家", "野家"]],
  ["Version", "upgraded to v2.10.3-rc1 at last", ["v2.10.3-rc1", "2.10.3", "v2.10.3"]],
  ["Plain version", "runs 7.41.2 since", ["7.41.2", "v7.41.2"]],
  ["Hash", "commit 9f86d081884c7d659a2feaa0c55ad015 done", ["9f86d08", "9f86d081884c7d659a2feaa0c55ad015"]],
  ["Identifier", "id 550e8400-e29b-41d4-a716-446655440000", ["550e8400", "446655440000", "550e8400-e29b"]],
  ["Camel", "class HttpRequestParserFactory here", ["HttpRequestParserFactory", "httprequest"]],
  ["Mail", "write to jane.doe+notes@mail.example.org", ["jane.doe+notes@mail.example.org", "jane.doe"]],
  ["Path", "edit /etc/nginx/sites-enabled/quokka.conf", [
    "/etc/nginx/sites-enabled/quokka.conf",
    "quokka.conf",
  ]],
  ["Windows", "in C:\\Users\\Numbat\\file.txt", ["C:\\Users\\Numbat", "numbat"]],
  ["Money", "paid $1,299.95 for 50% off", ["$1,299.95", "1,299.95"]],
  ["Firms", "AT&T and R&D over TCP/IP", ["AT&T", "R&D", "TCP/IP"]],
];

Deno.test("a word is found in any of its spellings, on the line where it stands", async () => {
  cites("find.facts");
  const index = await indexOf(
    Object.fromEntries(
      pages.map(([name, text]) => [`${name}.md`, `# Page\n\n${text}\n\nNothing else here\n`]),
    ),
  );
  const problems: string[] = [];
  for (const [name, , queries] of pages) {
    for (const query of queries) {
      const { hits } = await index.search({ query, visible: everything, limit: 5 });
      const [hit] = hits;
      if (hit?.path !== `${name}.md` || hit.line !== 3) {
        problems.push(`${query}: ${hit?.path} line ${hit?.line}`);
      }
    }
  }
  await index.close();
  assert.deepEqual(problems, []);
});

Deno.test("vowel points and beginnings of numbers find no page that has something else", async () => {
  const index = await indexOf({ "A.md": "9f86d18 12345", "B.md": "שלח أب" });
  for (const query of ["كتاب", "9f86d08", "1234", "שלום"]) {
    assert.deepEqual(
      (await index.search({ query, visible: everything })).hits.map(({ path }) => path),
      [],
      query,
    );
  }
  await index.close();
});
