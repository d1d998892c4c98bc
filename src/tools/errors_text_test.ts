import assert from "node:assert/strict";
import { AppError, type AppErrorOptions } from "../core/errors.ts";
import { createRights } from "../core/rights.ts";
import { errorAnswer, type ErrorStyle, hidesFlaggedText } from "./errors_text.ts";

const names = {
  all: new Set(["read_page", "write_page", "list_pages", "undo"]),
  shown: new Set(["read_page"]),
};

function answer(options: Partial<AppErrorOptions>) {
  return errorAnswer(
    new AppError({
      code: "conflict",
      message: 'Cannot write "A": it changed',
      remedy: "Read it again.",
      ...options,
    }),
    names,
  );
}

Deno.test("errorAnswer() says in one text what failed and what to do, and the same as JSON", () => {
  const { text, json } = answer({ remedy: "Read it again with `read_page`", details: { etag: "v1" } });
  assert.equal(text, 'Cannot write "A": it changed. Read it again with `read_page`.');
  assert.deepEqual(json, {
    error: "conflict",
    status: 409,
    message: 'Cannot write "A": it changed',
    remediation: "Read it again with `read_page`.",
    etag: "v1",
  });
});

Deno.test("errorAnswer() tells the kind of an upstream failure and that trying again may help", () => {
  const { json } = answer({ code: "upstream", upstream: "unreachable" });
  assert.equal(json["kind"], "unreachable");
  assert.equal(json["status"], 503);
  assert.equal(json["retryable"], true);
});

Deno.test("errorAnswer() lets no detail stand in for what the table says", () => {
  const { json } = answer({ details: { error: "ok", status: 200, message: "fine" } });
  assert.deepEqual([json["error"], json["status"]], ["conflict", 409]);
});

Deno.test("errorAnswer() leaves out what names a tool the caller is not shown", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Read it with `read_page`; `list_pages` shows the names.", "Read it with `read_page`."],
    ["Call `write_page` with `if_match`. Then read it.", "Then read it."],
    ["Call write_page again.", "Tell the owner of this server if you cannot go on without it."],
    ['Call `write_page("A", "x")`.', "Tell the owner of this server if you cannot go on without it."],
    ["You cannot undo this.", "You cannot undo this."],
    ["Use `undo`.", "Tell the owner of this server if you cannot go on without it."],
    ["Pass `if_match` or `page_name`.", "Pass `if_match` or `page_name`."],
  ];
  for (const [remedy, wanted] of cases) assert.equal(answer({ remedy }).json["remediation"], wanted);
});

function hides(
  { style = "auto", kind = "none", name = "local", client = null, userAgent = null }: {
    readonly style?: ErrorStyle;
    readonly kind?: "token" | "oauth" | "jwt" | "none";
    readonly name?: string;
    readonly client?: string | null;
    readonly userAgent?: string | null;
  },
): boolean {
  const rights = createRights({ layers: [], hidden: [], roots: [] });
  const principal = { id: "x", kind, name, rights, profile: "full" } as const;
  return hidesFlaggedText({ style, principal, caller: { client, userAgent } });
}

Deno.test("hidesFlaggedText() follows a fixed style whoever calls", () => {
  assert.equal(hides({ style: "content", client: "codex" }), true);
  assert.equal(hides({ style: "flag", client: "claude-ai" }), false);
});

Deno.test("hidesFlaggedText() knows hosted Claude and nobody else", () => {
  for (
    const client of ["claude-ai", "Claude", "Anthropic/ClaudeAI", "Anthropic", "Claude-User/1.0", "claude.ai"]
  ) {
    assert.equal(hides({ client }), true, client);
  }
  const others = [
    "claude-code",
    "Claude Code",
    "claude-code/2.1.317 (cli)",
    "openai-mcp",
    "codex-mcp-client",
  ];
  for (
    const client of [...others, "cursor-vscode", "claudette", "my-claude-proxy", "", "python-httpx/0.27"]
  ) {
    assert.equal(hides({ client }), false, client);
  }
});

Deno.test("hidesFlaggedText() believes the grant before the token's name before the client before the user agent", () => {
  assert.equal(hides({ kind: "oauth", name: "Claude", client: "codex" }), true);
  assert.equal(hides({ kind: "oauth", name: "Claude Code", client: "claude-ai" }), false);
  assert.equal(hides({ kind: "token", name: "claude.ai", client: "codex" }), true);
  assert.equal(hides({ kind: "token", name: "laptop", client: "claude-ai" }), true);
  assert.equal(hides({ client: "codex", userAgent: "Claude-User/1.0" }), false);
  assert.equal(hides({ client: "mcp", userAgent: "Claude-User/1.0" }), true);
  assert.equal(hides({ kind: "jwt", name: "Claude" }), false);
});
