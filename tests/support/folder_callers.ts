/**
 * Ways to call a folder tool of the running program. A table of cases runs through each of them, and every answer is searched
 * for what none may hold.
 */

import assert from "node:assert/strict";
import { mcpRequest, type Program, root as projectRoot, spaceToken, token } from "./app.ts";
import { canary } from "./folders.ts";
import { secretText } from "./hostile_tree.ts";

export interface FolderAnswer {
  /** `null` for a result. */
  readonly code: string | null;
  readonly detail: string | null;
  /** The JSON of the result or of the error. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Everything that came back. */
  readonly raw: string;
}

export interface FolderCallerOverWire {
  readonly name: string;
  /** `null` where this way has no such tool. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<FolderAnswer> | null;
}

export function overMcp(program: Program): FolderCallerOverWire {
  return {
    name: "/mcp",
    async call(tool, args) {
      const response = await fetch(
        mcpRequest(program.url, { method: "tools/call", params: { name: tool, arguments: args } }),
      );
      const raw = await response.text();
      const { result, error } = JSON.parse(raw);
      if (result === undefined) return { code: `rpc ${error.code}`, detail: null, json: error, raw };
      const json = JSON.parse(result.content[result.isError === true ? 1 : 0].text);
      return {
        code: result.isError === true ? json.error : null,
        detail: typeof json.detail === "string" ? json.detail : null,
        json,
        raw,
      };
    },
  };
}

/** Fails when an answer holds a canary, a secret, a path of the machine or a token. */
export function assertSilent(raw: string, place: string, about: string): void {
  const forbidden: Record<string, string> = {
    "the canary": canary,
    "a hidden file's text": secretText,
    "the place of the root": place,
    "the program's folder": projectRoot.pathname,
    "the token": token,
    "SilverBullet's token": spaceToken,
    "/etc/passwd": "root:x:",
    "a stack frame": "\\n    at ",
    "a system error": "os error",
  };
  for (const [what, text] of Object.entries(forbidden)) {
    assert.equal(raw.includes(text), false, `${about}: ${what} is in ${raw.slice(0, 500)}`);
  }
}
