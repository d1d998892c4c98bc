import assert from "node:assert/strict";
import { documentsWith } from "./documents.ts";
import type { ReadDocument } from "./outcome.ts";

const read: ReadDocument = () => Promise.resolve({ kind: "unavailable", reason: "closed" });

Deno.test("documentsWith() takes every limit of the operator", () => {
  const settings = {
    ...{
      doc_max_file_bytes: 1,
      doc_max_archive_members: 2,
      doc_max_uncompressed_bytes: 3,
      doc_max_member_bytes: 4,
    },
    ...{ doc_max_compression_ratio: 5, xlsx_max_sheets: 6, xlsx_max_rows: 7, xlsx_max_cols: 8 },
  };
  const { maxPages, maxChars, softMs, ...limits } = documentsWith(read, settings)?.limits ?? {};
  assert.deepEqual(limits, {
    ...{ maxFileBytes: 1, maxMembers: 2, maxUnpackedBytes: 3, maxMemberBytes: 4, maxRatio: 5 },
    ...{ maxSheets: 6, maxRows: 7, maxColumns: 8 },
  });
  assert.deepEqual([maxPages, maxChars, softMs], [2000, 4_000_000, 10_000]);
});

Deno.test("documentsWith() has the predecessor's defaults, and nothing where nobody reads", () => {
  const { maxPages: _, maxChars: __, softMs: ___, ...limits } = documentsWith(read, {})?.limits ?? {};
  assert.deepEqual(limits, {
    ...{
      maxFileBytes: 26_214_400,
      maxMembers: 1024,
      maxUnpackedBytes: 134_217_728,
      maxMemberBytes: 33_554_432,
    },
    ...{ maxRatio: 100, maxSheets: 20, maxRows: 2000, maxColumns: 50 },
  });
  assert.equal(documentsWith(null, {}), null);
});
