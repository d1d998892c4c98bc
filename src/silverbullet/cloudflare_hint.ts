/**
 * What Cloudflare says when it stands before SilverBullet and does not let a request through, as the note that
 * callers of mcp-silverbullet look for: ` [cf_hint: {"retry_after": …, "error_code": …, "title": …}]`.
 *
 * The one place where a text from the other end is shown, so only a short plain title passes.
 */

import type { Answer } from "./transport.ts";

const marks = ["cloudflare_error", "error_category", "ray_id"];

/** Begins with a space; empty where the answer is none of Cloudflare's. */
export function cloudflareHint(answer: Answer): string {
  if (answer.status >= 200 && answer.status < 300) return "";
  const body = jsonObject(new TextDecoder().decode(answer.body));
  if (body === null || !marks.some((mark) => Object.hasOwn(body, mark))) return "";
  const hint = {
    retry_after: wholeNumber(body["retry_after"]),
    error_code: wholeNumber(body["error_code"]),
    title: plainTitle(body["title"]),
  };
  return ` [cf_hint: ${JSON.stringify(hint)}]`;
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function plainTitle(value: unknown): string | null {
  return typeof value === "string" && /^[A-Za-z0-9 .,:'()-]{1,80}$/.test(value) ? value : null;
}
