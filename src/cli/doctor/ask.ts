/** One bounded HTTP request of `doctor` to the server's own addresses: nothing is followed, nothing is kept. */

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body. */
  readonly text: string;
  /** The body as JSON, or `null` where it is none. */
  readonly json: unknown;
}

export type AskFailure = { readonly failure: "tls" | "name" | "refused" | "timeout" | "broken" };

const timeoutMs = 10_000;
const mostBytes = 65_536;

export async function ask(url: string, init: RequestInit = {}): Promise<Asked | AskFailure> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: "manual", ...init, signal });
    const text = await beginning(response);
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") return { failure: "timeout" };
    const text = causes(error);
    if (/certificate|tls|handshake|InvalidContentType/i.test(text)) return { failure: "tls" };
    if (/dns error|lookup address|name or service/i.test(text)) return { failure: "name" };
    if (/connection refused|\(connect\)|connect error/i.test(text)) return { failure: "refused" };
    return { failure: "broken" };
  }
}

async function beginning(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) break;
  }
  return text.slice(0, mostBytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Only ever matched, never shown. */
function causes(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    parts.push(at.message);
  }
  return parts.join(" ");
}

/** A member of a JSON object, or `undefined`. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
