/** An embedded server with a connection to it and everything that connection logged, for tests of both. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { createLogger } from "../../src/core/log.ts";
import { type PagePath, parseListedPath } from "../../src/core/page_name.ts";
import type { PageContent, PageStore } from "../../src/core/page_store.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from "../../src/silverbullet/embedded/server.ts";
import {
  openSilverBullet,
  type SilverBullet,
  type SilverBulletOptions,
} from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";

export const token = "a-token-that-must-not-be-seen";

export interface Connected extends AsyncDisposable {
  readonly server: EmbeddedServer;
  readonly connection: SilverBullet;
  readonly store: PageStore;
  /** Everything logged so far. */
  readonly log: string[];
}

/** For tests in which a deadline passes. */
export const shortTimeouts = { read: 400, write: 400, list: 400, queue: 5_000 };

/** A server that asks for the token, and a connection that has it. */
export async function connect(
  embedded: EmbeddedOptions = {},
  options: Partial<SilverBulletOptions> = {},
): Promise<Connected> {
  const server = await startEmbedded({ user: "owner:pass", token, ...embedded });
  const log: string[] = [];
  const connection = openSilverBullet({
    url: server.url,
    token,
    clock: systemClock,
    lock: openPathLock({ state: null, clock: systemClock }),
    logger: createLogger({
      level: "debug",
      format: "json",
      clock: systemClock,
      write: (line) => log.push(line),
    }),
    readOnly: false,
    ...options,
  });
  return {
    server,
    connection,
    store: connection.store,
    log,
    async [Symbol.asyncDispose]() {
      connection.close();
      await server.close();
    },
  };
}

export function path(name: string): PagePath {
  const parsed = parseListedPath(name);
  assert.ok(parsed !== null, name);
  return parsed;
}

export function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function decode(content: PageContent | null): string {
  assert.ok(content !== null, "the page is there");
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
}

export function hashOf(text: string): { readonly kind: "hash"; readonly hash: string } {
  return { kind: "hash", hash: sha256Hex(text) };
}

/** The `AppError` that a promise rejects with, after checking that it gives nothing away and tells what to do. */
export async function failureOf(promise: Promise<unknown>, connected: Connected): Promise<AppError> {
  const error = await promise.then(
    (value) => assert.fail(`succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AppError, `an AppError, not ${String(error)}`);
  assert.ok(error.remedy.length > 20, "has a remedy");
  assert.match(error.message, /^Cannot /);
  const shown = JSON.stringify([error.message, error.remedy, error.details, connected.log]);
  for (const secret of [token, "/srv/embedded", "login.example.com", "127.0.0.1", "secret.md", "file://"]) {
    assert.ok(!shown.includes(secret), `does not show ${secret}: ${shown}`);
  }
  return error;
}
