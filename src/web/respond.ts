/** Responses in the few shapes this program answers in. Every one of them forbids sniffing and storing. */

/** Sent with everything, whatever it is. */
export const baseHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

type HeaderRecord = Readonly<Record<string, string>>;

export function jsonResponse(status: number, value: unknown, headers: HeaderRecord = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...baseHeaders, ...headers },
  });
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** For the few pages that carry a script of this server. */
export const scriptPolicy = { "content-security-policy": `${pagePolicy}; script-src 'self'` } as const;

/**
 * A page for a person. No script at all, styles from this server only, no framing, nothing kept.
 *
 * `form-action` stays at `'self'`: pages that post elsewhere pass their own policy.
 */
export function htmlResponse(status: number, html: string, headers: HeaderRecord = {}): Response {
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy,
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      ...baseHeaders,
      ...headers,
    },
  });
}

/** Sends a browser that posted a form on to a page, so that loading that again does nothing. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...baseHeaders, location } });
}

export function textResponse(status: number, text: string, headers: HeaderRecord = {}): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...baseHeaders, ...headers },
  });
}
