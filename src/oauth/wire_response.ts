/** Answers to programs: JSON that nobody keeps, with the error of the standard where something is refused. */

import { jsonResponse } from "../web/respond.ts";
import { wireError, type WireReason } from "./reasons.ts";

export function wireResponse(status: number, body: Readonly<Record<string, unknown>>): Response {
  return jsonResponse(status, body, { pragma: "no-cache" });
}

/** `authorization`: the header that came; who tried Basic is challenged for it (RFC 6749 §5.2). */
export function refusalResponse(reason: WireReason, authorization: string | null = null): Response {
  const { error, status, description } = wireError(reason);
  const basic = status === 401 && /^basic\b/i.test(authorization ?? "");
  const headers = {
    pragma: "no-cache",
    ...(basic ? { "www-authenticate": 'Basic realm="silverbridge"' } : {}),
    ...(status === 429 ? { "retry-after": "60" } : {}),
  };
  return jsonResponse(status, { error, error_description: description }, headers);
}
