/** `docs/reference/errors.md`: what a tool can answer instead of a result. */

import { type ErrorCode, errorTable, type UpstreamKind } from "../../src/core/errors.ts";
import { allTools } from "../../src/tools/all.ts";
import { referencePage, table } from "./reference_page.ts";

/** Codes that every tool can answer. */
const common: ReadonlySet<ErrorCode> = new Set(["invalid_argument", "upstream", "rate_limited", "internal"]);
const commonOfFolders: ReadonlySet<ErrorCode> = new Set(["invalid-params", "internal-error"]);

const meanings: Readonly<Record<ErrorCode, string>> = {
  not_found: "There is no such page, version or file",
  already_exists: "A page of that name is there and was not to be overwritten",
  conflict: "The page is no longer the version that the call was based on, or another change holds it",
  precondition_required: "The page exists, and the call did not say which version it replaces",
  invalid_path: "The name could not be a page, or could mean another file than it says",
  forbidden_path: "The caller has no right to do that to this page",
  read_only: "Nothing can be changed here: by configuration, or because SilverBullet is read-only",
  too_large: "The page would grow beyond the limit, or the answer is larger than can be given",
  protected: "The change touches what assistants may not change, such as scripts and settings of the space",
  ambiguous: "Several places fit",
  no_match: "No place fits",
  invalid_argument:
    "An argument is missing, unknown or of the wrong kind; the message says which and what is wanted",
  upstream: "SilverBullet did not do what was asked; `kind` says why",
  rate_limited: "Too many changes or calls; try again later",
  internal: "A fault of this program; the `incident` finds it in the log",
  "path-excluded": "The path is hidden, or leads out of its root",
  "file-not-found": "There is no such file or folder",
  "not-a-directory": "The path is no folder",
  "unknown-root": "No folder of that name is there for this caller",
  "invalid-argument":
    "The arguments do not fit the file: it is a folder, no text, or shorter; `detail` says which",
  "invalid-params":
    "An argument of a folder tool is missing, unknown or of the wrong kind; the message says which",
  "permission-denied": "The operating system does not let this program read it, or does not answer",
  "archive-rejected": "The document is damaged, encrypted or not safe to read; `detail` says which",
  "internal-error": "A fault of this program in a folder tool; the `incident` finds it in the log",
};

const kinds: Readonly<Record<UpstreamKind, string>> = {
  unreachable: "no connection: wrong address, server down, name or certificate unknown",
  timeout: "no complete answer within the time",
  auth: "the token is not accepted",
  forbidden: "the token's account may not do that",
  html_page: "a web page came where data was asked for: a login page, a proxy, or a wrong base address",
  read_only: "SilverBullet refuses changes",
  fault: "any other answer that no working SilverBullet gives",
};

export function errorReference(): string {
  const rows = errorTable().map(([code, traits]) => ({ code, ...traits, by: answeredBy(code) }))
    .filter(({ by }) => by !== "");
  return referencePage({
    title: "Errors of tools",
    sources: ["src/core/errors.ts", "src/tools/all.ts"],
    intro: "A failed tool answers two text blocks: a sentence that is enough by itself, then JSON " +
      "`{error, status, message, remediation, …}`. The result is flagged `isError` unless `ERROR_STYLE` says otherwise.",
  }, [
    ...table(
      ["code", "status", "the same call may succeed later", "what it means", "answered by"],
      rows.map(({ code, status, retryable, by }) => [
        `\`${code}\``,
        String(status),
        retryable ? "yes" : "no",
        meanings[code],
        by,
      ]),
    ),
    "",
    "## Kinds of `upstream`",
    "",
    ...table(
      ["kind", "what it means"],
      Object.entries(kinds).map(([kind, meaning]) => [`\`${kind}\``, meaning]),
    ),
    "",
    "`unreachable` has status 503 and `timeout` 504; the others have 502.",
  ]);
}

function answeredBy(code: ErrorCode): string {
  if (common.has(code)) return "every tool";
  if (commonOfFolders.has(code)) return "every folder tool";
  return allTools.filter((tool) => tool.errors.includes(code)).map(({ name }) => `\`${name}\``).join(", ");
}
