import assert from "node:assert/strict";
import { withApp } from "../../tests/support/app.ts";
import { callOf, toolCall } from "../../tests/bench/calls.ts";
import { mcpRequest, token } from "../../tests/support/app.ts";
import { until } from "../../tests/support/step_clock.ts";
import { sha256Hex } from "../core/secrets.ts";

const base = "http://127.0.0.1:8787";

function ask(headers: Record<string, string> = {}): Request {
  return new Request(`${base}/metrics`, { headers });
}

const bearer = { authorization: `Bearer ${token}` };

function valueOf(text: string, series: string): number | null {
  const line = text.split("\n").find((line) => line.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

Deno.test("/metrics counts requests, tool calls and the index, as Prometheus reads them", async () => {
  await withApp({ space: { files: { "A.md": "alpha", "B.md": "beta" } } }, async (app) => {
    const read = () => mcpRequest(base, toolCall("read_page", { page: "A" }));
    for (let call = 0; call < 3; call++) await (await app.fetch(read())).body?.cancel();
    await (await app.fetch(mcpRequest(base, toolCall("read_page", { page: "None" })))).body?.cancel();
    await (await app.fetch(new Request(`${base}/nowhere/at/all`))).body?.cancel();
    await until(async () => {
      const { result } = await (await app.fetch(
        new Request(`${base}/mcp`, {
          method: "POST",
          ...callOf("2025", toolCall("search_pages", { query: "alpha" })),
        }),
      )).json();
      return JSON.parse(result.content[0].text).searched?.complete === true;
    });
    const response = await app.fetch(ask(bearer));
    assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    assert.equal(valueOf(text, 'silverbridge_tool_calls_total{tool="read_page",outcome="ok"}'), 3);
    assert.equal(valueOf(text, 'silverbridge_tool_calls_total{tool="read_page",outcome="not_found"}'), 1);
    assert.equal(valueOf(text, 'silverbridge_http_requests_total{route="other",status="404"}'), 1);
    assert.equal(valueOf(text, "silverbridge_index_complete"), 1);
    assert.equal(valueOf(text, "silverbridge_index_files"), 4);
    assert.equal(valueOf(text, "silverbridge_index_behind"), 0);
    for (const line of text.trimEnd().split("\n")) {
      assert.match(
        line,
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? -?[\d.e+-]+)$/,
      );
    }
    assert(!/alpha|beta|\.md|nowhere/.test(text));
  });
});

Deno.test("/metrics is for known callers who may read everything, and for this machine unless the server is public", async () => {
  const guest = {
    name: "guest",
    hash: sha256Hex("secret-guest"),
    rights: { read: ["Public/**"] },
    roots: "all" as const,
    profile: null,
    silverbulletToken: null,
  };
  await withApp(
    { configure: (config) => ({ ...config, tokens: [...config.tokens, guest] }) },
    async (app) => {
      const status = async (request: Request, peer?: string) => {
        const response = await app.fetch(request, peer);
        await response.body?.cancel();
        return response.status;
      };
      assert.equal(await status(ask()), 200);
      assert.equal(await status(ask(), "192.168.1.20"), 401);
      assert.equal(await status(ask({ "x-forwarded-for": "127.0.0.1" })), 401);
      assert.equal(
        await status(ask({ authorization: "Bearer wrong" })),
        401,
        "a bad token is no better than none",
      );
      assert.equal(await status(ask(bearer), "192.168.1.20"), 200);
      assert.equal(await status(ask({ authorization: "Bearer secret-guest" })), 403);
      assert.equal(await status(new Request(`${base}/metrics`, { method: "POST", headers: bearer })), 405);
    },
  );
  await withApp({ configure: (config) => ({ ...config, publicMode: true }) }, async (app) => {
    const response = await app.fetch(ask());
    await response.body?.cancel();
    assert.equal(response.status, 401);
  });
});
