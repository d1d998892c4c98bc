/**
 * Answers of the embedded server, pinned to what SilverBullet 2.9.0 (Go) and 2.10.0 (Rust) answered when asked, and to
 * what the source of later ones says.
 */

import assert from "node:assert/strict";
import type { Generation } from "./generations.ts";
import { type EmbeddedOptions, startEmbedded } from "./server.ts";

interface Probe {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly status: number;
  /** Beginning of the body. */
  readonly text?: string;
  /** Headers that must be so; `null`: absent. */
  readonly expect?: Readonly<Record<string, string | null>>;
}

const sync = { "X-Sync-Mode": "true" };
const wrongHash = `"sha256:${"0".repeat(64)}"`;
const helloHash = '"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"';

async function ask(options: EmbeddedOptions, probes: readonly Probe[]): Promise<void> {
  const server = await startEmbedded({
    files: { "index.md": "# Index\n", "folder/page.md": "hello" },
    ...options,
  });
  try {
    for (const probe of probes) {
      const { method = "GET", path, headers = sync, body } = probe;
      const init = { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) } as const;
      const response = await fetch(new URL(server.url).origin + path, init);
      const what = `${options.generation} ${method} ${path}`;
      const text = await response.text();
      assert.equal(response.status, probe.status, what);
      if (probe.text !== undefined) assert.ok(text.startsWith(probe.text), `${what}: ${text}`);
      for (const [name, value] of Object.entries(probe.expect ?? {})) {
        assert.equal(response.headers.get(name), value, `${what}: ${name}`);
      }
    }
  } finally {
    await server.close();
  }
}

const html = { "content-type": "text/html" };

Deno.test("embedded Go 2.9 answers as the real one did", async () => {
  await ask({ generation: "go-2.9" }, [
    {
      path: "/.ping",
      status: 200,
      text: "OK",
      expect: { "x-server-version": "2.9.0-0-g72bba941-2026-06-11T08-00-00Z" },
    },
    { path: "/.fs", headers: {}, status: 307, expect: { location: "/" } },
    { path: "/.fs", status: 200, text: "[", expect: { "content-type": "application/json" } },
    { path: "/.fs", method: "HEAD", status: 405 },
    {
      path: "/.fs/index.md",
      status: 200,
      text: "# Index\n",
      expect: { etag: null, "x-content-length": "8", "x-content-type": "text/markdown" },
    },
    {
      path: "/.fs/index.md",
      headers: { "X-Get-Meta": "true" },
      status: 200,
      text: "",
      expect: { "x-content-length": "8" },
    },
    { path: "/.fs/index.md/", status: 200, text: "# Index\n" },
    {
      path: "/.fs/missing.md",
      status: 404,
      text: "404 page not found\n",
      expect: { "content-type": "text/plain; charset=utf-8" },
    },
    { path: "/.fs/folder", status: 500, text: "failed to read file folder: read /" },
    {
      path: "/.fs/folder",
      headers: { "X-Get-Meta": "true" },
      status: 200,
      expect: { "x-content-length": "4096" },
    },
    { path: "/.fs/%.md", status: 400, text: "400 Bad Request" },
    { path: "/.fs/%FF.md", status: 404 },
    { method: "PUT", path: "/.fs/a%2F..%2Fb.md", body: "x", status: 200, text: "OK" },
    { path: "/.fs/b.md", status: 200, text: "x" },
    { method: "PUT", path: "/.fs/..%2F..%2Fb.md", body: "x", status: 500, text: "Write failed" },
    {
      method: "PUT",
      path: "/.fs/index.md",
      headers: { "If-Match": wrongHash },
      body: "new",
      status: 200,
      text: "OK",
      expect: { "x-content-length": "3" },
    },
    {
      method: "PUT",
      path: "/.fs/index.md",
      headers: { "If-None-Match": "*" },
      body: "newer",
      status: 200,
      text: "OK",
    },
    { method: "PUT", path: "/.fs/Library/Std.md", body: "x", status: 500, text: "Write failed" },
    { method: "DELETE", path: "/.fs/missing.md", headers: { "If-Match": wrongHash }, status: 404 },
    { method: "DELETE", path: "/.fs/index.md", status: 200, text: "OK", expect: { "x-last-modified": null } },
    { method: "OPTIONS", path: "/.fs/index.md", status: 200, expect: { allow: "GET, PUT, DELETE, OPTIONS" } },
    { method: "POST", path: "/.fs/index.md", status: 405 },
    { path: "/.instance", status: 200, expect: html },
    { path: "/.events", status: 200, expect: html },
    { path: "//.ping", status: 200, expect: html },
    {
      method: "PUT",
      path: "/wrong/.fs/x.md",
      body: "x",
      status: 200,
      expect: { ...html, "x-last-modified": null },
    },
  ]);
  const auth = { user: "a:b", token: "t", generation: "go-2.9" } as const;
  await ask(auth, [
    { path: "/.ping", status: 200 },
    { path: "/.config", status: 401, text: "", expect: { location: "/.auth", "www-authenticate": null } },
    {
      path: "/.fs",
      headers: { ...sync, Authorization: "Bearer wrong" },
      status: 401,
      text: "Unauthorized\n",
      expect: { location: null },
    },
    { path: "/.fs", headers: { ...sync, Authorization: "bearer t" }, status: 401, text: "" },
    { path: "/.fs", headers: { ...sync, Authorization: "Bearer  t" }, status: 401 },
    { path: "/.fs", headers: { ...sync, Authorization: "Bearer t", Cookie: "auth_x=stale" }, status: 401 },
    { path: "/.fs", headers: { ...sync, Authorization: "Bearer t" }, status: 200 },
    { path: "/page", status: 302, expect: { location: "/.auth?from=/page" } },
    { path: "/.nope", status: 401 },
    { path: "/", status: 200, expect: html },
  ]);
  await ask({ generation: "go-2.9", readOnly: true }, [
    { method: "PUT", path: "/.fs/index.md", body: "x", status: 500, text: "Write failed" },
    { method: "DELETE", path: "/.fs/missing.md", status: 500, text: "Not allowed" },
    { path: "/", status: 200, expect: html },
  ]);
});

Deno.test("embedded Rust 2.10 answers as the real one did", async () => {
  await ask({ generation: "rust-2.10", prefix: "/notes" }, [
    { path: "/notes/.ping", status: 200, text: "OK" },
    { path: "/notes/.fs", headers: {}, status: 200, text: "[" },
    { path: "/notes/.fs/", method: "HEAD", status: 200 },
    { path: "/notes/.fs/index.md", method: "HEAD", status: 200, expect: { "x-content-length": "8" } },
    {
      path: "/notes/.fs/missing.md",
      status: 404,
      text: "404 page not found\n",
      expect: { "content-type": null },
    },
    { path: "/notes/.fs/folder", status: 404 },
    { path: "/notes/.fs/%.md", status: 404 },
    { path: "/notes/.fs/%FF.md", status: 400 },
    { method: "PUT", path: "/notes/.fs/..%2Fb.md", body: "x", status: 403, text: "Path not in space" },
    { method: "PUT", path: "/notes/.fs/folder", body: "x", status: 500, text: "Could not write file" },
    { method: "PUT", path: "/notes/.fs/Library/Std.md", body: "x", status: 403, text: "Read-only:" },
    {
      method: "PUT",
      path: "/notes/.fs/index.md",
      headers: { "If-Match": wrongHash },
      body: "new",
      status: 200,
      expect: { etag: null, "cache-control": "no-store" },
    },
    { method: "DELETE", path: "/notes/.fs/missing.md", headers: { "If-Match": wrongHash }, status: 404 },
    { method: "POST", path: "/notes/.fs/index.md", status: 405, expect: { allow: "GET,HEAD,PUT,DELETE" } },
    { method: "PUT", path: "/notes/.nope", body: "x", status: 405 },
    { path: "/notes/.nope", status: 200, expect: html },
    { path: "/notes//.ping", status: 200, expect: html },
    { path: "/.ping", status: 404, text: "<", expect: html },
    { path: "/", status: 307, expect: { location: "/.spaces" } },
  ]);
  await ask({ generation: "rust-2.10", user: "a:b", token: "t" }, [
    { path: "/.fs", status: 401, text: "Unauthorized", expect: { location: "/.auth" } },
    { path: "/.fs", headers: { Authorization: "Bearer t", Cookie: "auth_x=stale" }, status: 200 },
    { path: "/.nope", status: 302, expect: { location: "/.auth?from=/.nope" } },
    { path: "/.instance", status: 200, expect: { "content-type": "application/json" } },
  ]);
  await ask({ generation: "rust-2.10", readOnly: true }, [
    { method: "PUT", path: "/.fs/index.md", body: "x", status: 403, text: "Read-only:" },
    { method: "DELETE", path: "/.fs/index.md", status: 403, text: "Read-only:" },
  ]);
});

Deno.test("embedded servers from 2.11 on compare as the source says", async () => {
  const page = "/.fs/folder/page.md";
  const conditional: readonly Generation[] = ["2.11", "2.12", "edge"];
  for (const generation of conditional) {
    await ask({ generation }, [
      {
        path: page,
        status: 200,
        text: "hello",
        expect: { etag: helloHash, "x-silverbullet-revision": generation === "edge" ? helloHash : null },
      },
      { path: page, headers: { "If-None-Match": helloHash }, status: generation === "2.11" ? 200 : 304 },
      { path: page, headers: { "X-Get-Meta": "true" }, status: 200, text: "", expect: { etag: helloHash } },
      {
        path: page,
        headers: { "X-Get-Meta": "cheap" },
        status: 200,
        expect: { etag: generation === "2.11" ? helloHash : null },
      },
      {
        method: "PUT",
        path: page,
        headers: { "If-Match": wrongHash },
        body: "x",
        status: 412,
        expect: { etag: helloHash },
      },
      {
        method: "PUT",
        path: page,
        headers: { "If-Match": `W/${helloHash}` },
        body: "x",
        status: 412,
        expect: { etag: null },
      },
      {
        method: "PUT",
        path: page,
        headers: { "If-None-Match": "*" },
        body: "x",
        status: 412,
        expect: { etag: helloHash },
      },
      {
        method: "PUT",
        path: page,
        headers: { "If-None-Match": wrongHash },
        body: "x",
        status: 412,
        expect: { etag: null },
      },
      {
        method: "PUT",
        path: "/.fs/new.md",
        headers: { "If-Match": "*" },
        body: "x",
        status: 412,
        expect: { etag: null },
      },
      {
        method: "PUT",
        path: "/.fs/Library/Std.md",
        headers: { "If-None-Match": "*" },
        body: "x",
        status: 412,
      },
      { method: "PUT", path: "/.fs/folder", headers: { "If-None-Match": "*" }, body: "x", status: 412 },
      {
        method: "DELETE",
        path: "/.fs/missing.md",
        headers: { "If-Match": wrongHash },
        status: 412,
        expect: { etag: null },
      },
      { method: "DELETE", path: "/.fs/missing.md", status: 404 },
      {
        method: "PUT",
        path: page,
        headers: { "If-Match": helloHash.replaceAll('"', "") },
        body: "hello",
        status: 200,
        expect: { etag: helloHash },
      },
      {
        method: "PUT",
        path: "/.fs/new.md",
        headers: { "If-None-Match": "*" },
        body: "hello",
        status: 200,
        text: "OK",
      },
      {
        method: "DELETE",
        path: page,
        headers: { "If-Match": helloHash },
        status: 200,
        text: "OK",
        expect: { etag: null },
      },
      { path: "/.revisions/", status: 404, text: '{"error":"revisions disabled"}' },
    ]);
    await ask({ generation, readOnly: true }, [
      { method: "DELETE", path: "/.fs/missing.md", headers: { "If-Match": wrongHash }, status: 412 },
      { method: "PUT", path: page, headers: { "If-Match": helloHash }, body: "x", status: 403 },
    ]);
  }
});

Deno.test("embedded Deno 2.0 answers as its source says", async () => {
  await ask({ generation: "deno-2.0" }, [
    { path: "/.ping", status: 200, text: "OK", expect: { "x-space-path": null, "x-server-version": null } },
    { path: "/.fs", headers: {}, status: 302 },
    { path: "/.fs/Library/Std.md", status: 200, expect: { "x-content-length": "-1", "x-permission": "ro" } },
    { method: "PUT", path: "/.fs/Library/Std.md", body: "mine", status: 200, text: "OK" },
    { path: "/.fs/Library/Std.md", status: 200, text: "This page comes with the server" },
    { method: "DELETE", path: "/.fs/Library/Std.md", status: 200, text: "OK" },
    { method: "DELETE", path: "/.fs/missing.md", status: 500 },
    { path: "/.fs/folder", status: 404 },
  ]);
  await ask({ generation: "deno-2.0", readOnly: true }, [
    { method: "PUT", path: "/.fs/index.md", body: "x", status: 405 },
  ]);
});

Deno.test("the embedded server serves 127.0.0.1 alone, and ends with everything that is open", async () => {
  const server = await startEmbedded({ generation: "2.12" });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const events = await fetch(`${server.url}/.events`);
  server.faults.add({ fault: { kind: "slow_answer", ms: 60_000 } });
  const slow = fetch(`${server.url}/.ping`).then((response) => response.text());
  const ended = Promise.allSettled([slow, events.text()]);
  while (server.requests.all().length < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  await server.close();
  await ended;
  await assert.rejects(fetch(server.url));
});
