/** The rows about what assistants may do and how much: editing, limits, documents, logs. */

import { boolean, bytes, choice, duration, integer } from "./kinds.ts";
import { changesPerHour, instructions, pageGlobs, profile } from "./kinds_product.ts";
import { debugSwitch, lenientSwitch, logLevel } from "./old_values.ts";
import { bridge, mcpSilverbullet, row } from "./option.ts";

const use = "What assistants may do";
const limits = "Limits";
const documents = "Documents";
const logs = "Logs";
const mebibyte = 1024 ** 2;

export const useOptions = {
  PROFILE: row({ section: use, kind: profile(), help: "Which tools are shown" }, { fallback: "standard" }),
  READ_ONLY: row({ section: use, kind: boolean(), help: "No tool changes anything" }, { fallback: false }),
  WRITE_PATHS: row({ section: use, kind: pageGlobs(), help: "Pages that may be changed" }, {
    fallback: ["**"],
  }),
  READ_PATHS: row({ section: use, kind: pageGlobs(), help: "Pages that may be read" }, { fallback: ["**"] }),
  HIDDEN_PATHS: row({
    section: use,
    kind: pageGlobs(),
    help: "Pages that do not exist for any assistant, whatever else is granted",
  }, { fallback: [] }),
  PROTECTED_CONTENT: row({
    section: use,
    kind: boolean(),
    help: "Let assistants add Lua, styles, plugs, `CONFIG` and `Library` pages",
  }, { fallback: false }),
  TRASH: row({
    section: use,
    kind: choice(["history", "space", "off"]),
    help: "Where deleted pages go: the history, `_trash/` in the space, or nowhere",
  }, { derived: "`history`; `space` under silverbullet-mcp-server's names or where nothing can be kept" }),
  TRASH_DAYS: row({
    section: use,
    kind: duration("days", { min: 1, max: 36500 }),
    help: "How long deleted pages can be restored",
  }, { fallback: 90 }),
  HISTORY_DAYS: row({
    section: use,
    kind: duration("days", { min: 1, max: 36500 }),
    help: "How long the text before and after each change is kept",
  }, { fallback: 30 }),
  HISTORY_BYTES: row({
    section: use,
    kind: bytes(mebibyte, 1024 ** 4),
    help: "How much history is kept; the oldest goes first",
  }, { fallback: 256 * mebibyte }),
  BLIND_WRITES: row({
    section: use,
    kind: boolean(),
    help: "Let `write_page` overwrite without saying which version it replaces",
  }, { fallback: false }),
  CHANGES_PER_HOUR: row({
    section: use,
    kind: changesPerHour(),
    help: "Distinct pages that one client may change, and delete or move, in an hour",
  }, { derived: "200/30 for OAuth clients, off for all others" }),
  ERROR_STYLE: row({
    section: use,
    kind: choice(["flag", "content", "auto"]),
    help: "Whether failed calls carry `isError`; `auto` knows the clients that hide such text",
  }, { fallback: "auto" }),
  INSTRUCTIONS: row({
    section: use,
    kind: instructions(),
    help: "House rules that every client is given, as text, from a file or from a page of the space",
  }),

  RATE_LIMIT_PER_MINUTE: row({
    section: limits,
    kind: integer(0, 1_000_000),
    help: "Requests a minute for each caller; 0 means none",
  }, { derived: "600 in public mode, else 0", aliases: [bridge("RATE_LIMIT_PER_MINUTE")] }),
  MAX_BODY_BYTES: row({
    section: limits,
    kind: bytes(1024, 64 * mebibyte),
    help: "Largest request body; with notes never below six times `MAX_PAGE_BYTES` plus 64 KiB",
  }, {
    derived: "4 MiB with notes, 1000000 with folders alone",
    aliases: [bridge("HTTP_MAX_BODY_BYTES")],
  }),
  MAX_PAGE_BYTES: row({
    section: limits,
    kind: bytes(1024, 10 * mebibyte),
    help: "Largest page that an edit may leave behind; a page may always be written up to its present size",
  }, { fallback: 256 * 1024 }),
  READ_MAX_CHARS: row({
    section: limits,
    kind: integer(1, 10_000_000),
    help: "Most characters that reading and searching folders return",
  }, {
    fallback: 128_000,
    aliases: [bridge("READ_MAX_CHARS"), bridge("MAX_READ_CHARS"), bridge("MAX_READ_BYTES")],
  }),
  SEARCH_MAX_FILE_BYTES: row({
    section: limits,
    kind: bytes(1, 512 * mebibyte),
    help: "Largest file that is read whole for a search",
  }, { fallback: mebibyte, aliases: [bridge("SEARCH_MAX_FILE_BYTES"), bridge("MAX_FILE_BYTES")] }),
  MAX_MATCHES: row({
    section: limits,
    kind: integer(1, 100_000),
    help: "Most matches of one folder search",
  }, { fallback: 200, aliases: [bridge("MAX_MATCHES")] }),
  LIST_MAX_ENTRIES: row({
    section: limits,
    kind: integer(1, 1_000_000),
    help: "Most entries of one folder listing",
  }, { fallback: 1000, aliases: [bridge("LIST_FILES_MAX_ENTRIES")] }),

  DOC_MAX_FILE_BYTES: row({
    section: documents,
    kind: bytes(1, 512 * mebibyte),
    help: "Largest PDF, DOCX, PPTX or XLSX that is parsed",
  }, { fallback: 25 * mebibyte, aliases: [bridge("DOC_MAX_FILE_BYTES")] }),
  DOC_MAX_ARCHIVE_MEMBERS: row({
    section: documents,
    kind: integer(1, 1_000_000),
    help: "Most files inside one document",
  }, { fallback: 1024, aliases: [bridge("DOC_MAX_ARCHIVE_MEMBERS")] }),
  DOC_MAX_UNCOMPRESSED_BYTES: row({
    section: documents,
    kind: bytes(1, 4 * 1024 ** 3),
    help: "Most bytes of one document unpacked",
  }, { fallback: 128 * mebibyte, aliases: [bridge("DOC_MAX_UNCOMPRESSED_BYTES")] }),
  DOC_MAX_MEMBER_BYTES: row({
    section: documents,
    kind: bytes(1, 4 * 1024 ** 3),
    help: "Most bytes of one file inside a document unpacked",
  }, { fallback: 32 * mebibyte, aliases: [bridge("DOC_MAX_MEMBER_BYTES")] }),
  DOC_MAX_COMPRESSION_RATIO: row({
    section: documents,
    kind: integer(1, 10_000),
    help: "How many times larger a file inside a document may become",
  }, { fallback: 100, aliases: [bridge("DOC_MAX_COMPRESSION_RATIO")] }),
  XLSX_MAX_SHEETS: row({ section: documents, kind: integer(1, 10_000), help: "Sheets read per workbook" }, {
    fallback: 20,
    aliases: [bridge("XLSX_MAX_SHEETS")],
  }),
  XLSX_MAX_ROWS: row({ section: documents, kind: integer(1, 1_048_576), help: "Rows read per sheet" }, {
    fallback: 2000,
    aliases: [bridge("XLSX_MAX_ROWS")],
  }),
  XLSX_MAX_COLS: row({ section: documents, kind: integer(1, 16_384), help: "Columns read per row" }, {
    fallback: 50,
    aliases: [bridge("XLSX_MAX_COLS")],
  }),

  LOG_LEVEL: row({
    section: logs,
    kind: choice(["debug", "info", "warn", "error"]),
    help: "What is logged",
  }, {
    fallback: "info",
    aliases: [
      mcpSilverbullet("LOG_LEVEL", { read: logLevel }),
      mcpSilverbullet("DEBUG", { read: debugSwitch, yields: true }),
    ],
  }),
  LOG_FORMAT: row({ section: logs, kind: choice(["json", "text"]), help: "How log lines look" }, {
    derived: "`text` on a terminal and under silverbullet-mcp-server's names, else `json`",
  }),
  JOURNAL_TOOLS: row({
    section: use,
    kind: boolean(),
    help: "Accepted without effect: the discovery tools are always there",
  }, { fallback: false, old: true, aliases: [mcpSilverbullet("JOURNAL_TOOLS", { read: lenientSwitch })] }),
  LIST_PAGES_HYDRATE_ETAGS: row({
    section: use,
    kind: boolean(),
    help: "Gives each row of `list_pages` a partial etag",
  }, {
    fallback: false,
    old: true,
    aliases: [mcpSilverbullet("LIST_PAGES_HYDRATE_ETAGS", { read: lenientSwitch })],
  }),
};
