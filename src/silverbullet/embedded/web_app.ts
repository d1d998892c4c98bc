/** The web page that SilverBullet answers for every path it does not know: 200 and HTML, never 404. */

import { bareReply, htmlReply, type Reply, textReply } from "./reply.ts";
import type { Space } from "./space.ts";

/** Deno and Go answer any verb so; Rust only GET and HEAD. */
export function webApp(space: Space, method: string, withoutSignIn: boolean): Reply {
  const { family } = space.traits;
  if (family === "rust" && method !== "GET" && method !== "HEAD") {
    return bareReply(405, "", { Allow: "GET,HEAD" });
  }
  const text = space.readOnly && withoutSignIn ? space.files.text(`${space.indexPage}.md`) ?? "" : "";
  const page = `<!DOCTYPE html><html><head><title>${escapeHtml(space.spaceName)}</title></head>` +
    `<body><div id="sb-root">${escapeHtml(text)}</div></body></html>`;
  return htmlReply(200, page, { "Content-Type": "text/html", "Cache-Control": "no-cache" });
}

/** What answers outside the path prefix. */
export function outsidePrefix(space: Space, path: string): Reply {
  if (space.traits.family !== "rust") return textReply(404, "404 page not found\n");
  if (path === "/") {
    const target = space.traits.conditional ? "/.dashboard" : "/.spaces";
    return { status: 307, headers: { Location: target }, body: "" };
  }
  return htmlReply(404, "<!DOCTYPE html><html><body><h1>No space here</h1></body></html>", {
    "Content-Type": "text/html",
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
