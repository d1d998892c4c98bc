/** The official suite's scenarios for authorization servers, against the running program. */

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { cites } from "../requirements.ts";
import { freePort, root, withProgram } from "../support/app.ts";
import { Browser, ownerSecret } from "../support/sign_in.ts";

Deno.test("the official suite for authorization servers passes, with the owner approving what it opens", async () => {
  cites("oauth.conformance");
  const port = freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_OWNER_SECRET: ownerSecret,
    SILVERBRIDGE_OAUTH_CLIENT_ID: "conformance",
    SILVERBRIDGE_OAUTH_REDIRECT_URIS: callback,
  };
  await withProgram({ env }, async ({ url }) => {
    const results = await Deno.makeTempDir({ prefix: "silverbridge-conformance-" });
    try {
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          ...[
            "run",
            "-A",
            "--no-prompt",
            manifest.imports["@modelcontextprotocol/conformance"],
            "authorization",
          ],
          ...["--url", url, "--client-id", "conformance", "--resource", `${url}/mcp`, "--port", String(port)],
          ...["--output-dir", results],
        ],
        cwd: root,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        env: { NO_COLOR: "1" },
        signal: AbortSignal.timeout(120_000),
      }).spawn();
      let text = "";
      const approving = new Map<string, Promise<void>>();
      const follow = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
        for await (const part of stream.pipeThrough(new TextDecoderStream())) {
          text += part;
          for (const [opened] of text.matchAll(/https?:\/\/\S*\/authorize\?\S+(?=\s)/g)) {
            if (!approving.has(opened)) approving.set(opened, approve(opened));
          }
        }
      };
      const reading = Promise.all([follow(child.stdout), follow(child.stderr)]);
      const { code } = await child.status;
      await reading;
      await Promise.all(approving.values());
      assert.equal(code, 0, text.slice(-4000));
      assert.ok(approving.size > 0, "the suite opened the page");
      assert.match(text, /authorization-server-metadata-endpoint/);
      assert.match(text, /authorization-code-grant/);
      assert.equal(/SKIPPED/.test(text), false, text.slice(-4000));
    } finally {
      await Deno.remove(results, { recursive: true });
    }
  });
});

/** The owner approves, and the browser goes where it is sent. */
async function approve(opened: string): Promise<void> {
  const back = await new Browser((url, init) => fetch(url, init)).approve(opened);
  await (await fetch(back)).body?.cancel();
}
