/**
 * Both other sides of a sign-in, over HTTP alone: a browser with its cookies that opens pages and sends their forms,
 * and a client that discovers, registers, asks, exchanges, refreshes and calls. Neither knows anything of the program.
 */

import assert from "node:assert/strict";

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export const ownerSecret = "correct horse battery staple";
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The page without its tags, white space collapsed. */
  readonly text: string;
}

export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #fetch: Fetch;
  /** Sent with every request, such as forwarding headers. */
  readonly #headers: Readonly<Record<string, string>>;

  constructor(fetch: Fetch, headers: Readonly<Record<string, string>> = {}) {
    this.#fetch = fetch;
    this.#headers = headers;
  }

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#headers)) headers.set(name, value);
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await this.#fetch(url, { redirect: "manual", ...init, headers });
    if (response.status >= 300 && response.status < 400) await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
    return response;
  }

  async open(url: string): Promise<Page> {
    return await pageOf(url, await this.send(url));
  }

  /** Sends the form of a page as a browser would, with these fields changed. */
  async submit(page: Page, changes: Readonly<Record<string, string | string[]>>): Promise<Response> {
    const { action, fields } = formOf(page);
    for (const [name, value] of Object.entries(changes)) {
      fields.delete(name);
      for (const each of [value].flat()) fields.append(name, each);
    }
    return await this.send(new URL(action, page.url).href, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: new URL(page.url).origin },
      body: fields.toString(),
    });
  }

  /** Opens the page where the owner decides and approves; answers the address that the browser is sent to. */
  async approve(url: string, changes: Readonly<Record<string, string | string[]>> = {}): Promise<URL> {
    const page = await this.open(url);
    assert.equal(page.status, 200, page.text);
    const response = await this.submit(page, { decision: "approve", secret: ownerSecret, ...changes });
    if (response.status !== 303) assert.fail((await pageOf(url, response)).text);
    return new URL(response.headers.get("location") ?? "");
  }
}

export async function pageOf(url: string, response: Response): Promise<Page> {
  const html = await response.text();
  const text = unescape(html.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  return { url, status: response.status, headers: response.headers, html, text };
}

/** Address and successful controls of the one form of a page, before anybody touched it. */
export function formOf({ html }: Page): { readonly action: string; readonly fields: URLSearchParams } {
  const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/.exec(html);
  assert.ok(form !== null, "the page has a form");
  const fields = new URLSearchParams();
  for (const [, attributes = ""] of (form[2] ?? "").matchAll(/<input\b([^>]*)>/g)) {
    const name = attribute(attributes, "name");
    const type = attribute(attributes, "type") ?? "text";
    const off = (type === "radio" || type === "checkbox") && !/\schecked\b/.test(attributes);
    if (name !== null && !off && type !== "submit") fields.append(name, attribute(attributes, "value") ?? "");
  }
  for (const [, attributes = "", text = ""] of (form[2] ?? "").matchAll(/<textarea\b([^>]*)>([^<]*)/g)) {
    fields.append(attribute(attributes, "name") ?? "", unescape(text));
  }
  for (
    const [, attributes = "", options = ""] of (form[2] ?? "").matchAll(
      /<select\b([^>]*)>([\s\S]*?)<\/select>/g,
    )
  ) {
    const chosen = [...options.matchAll(/<option\b([^>]*)>/g)].find(([, each = ""]) =>
      /\sselected\b/.test(each)
    );
    fields.append(attribute(attributes, "name") ?? "", attribute(chosen?.[1] ?? "", "value") ?? "");
  }
  return { action: attribute(form[1] ?? "", "action") ?? "", fields };
}

function attribute(attributes: string, name: string): string | null {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : unescape(value);
}

function unescape(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: {
    readonly properties?: Readonly<
      Record<string, { readonly type?: unknown; readonly enum?: readonly string[] }>
    >;
    readonly required?: readonly string[];
  };
}

/** What a client does by itself. `origin`: of the server, without a trailing slash. */
export class WireClient {
  readonly origin: string;
  readonly #fetch: Fetch;

  constructor(origin: string, fetch: Fetch) {
    this.origin = origin;
    this.#fetch = fetch;
  }

  async json(path: string): Promise<Readonly<Record<string, unknown>>> {
    const response = await this.#fetch(this.origin + path);
    assert.equal(response.status, 200, path);
    return await response.json();
  }

  async register(metadata: unknown): Promise<Readonly<Record<string, unknown>>> {
    const response = await this.#fetch(`${this.origin}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(metadata),
    });
    const body = await response.json();
    assert.equal(response.status, 201, JSON.stringify(body));
    return body;
  }

  /** The address that the client opens in the browser; `null` leaves a parameter out. */
  authorizeUrl(parameters: Readonly<Record<string, string | null>>): string {
    const usual = {
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "state-1",
      resource: `${this.origin}/mcp`,
    };
    const given = Object.entries({ ...usual, ...parameters }).filter((pair): pair is [string, string] =>
      pair[1] !== null
    );
    return `${this.origin}/authorize?${new URLSearchParams(given)}`;
  }

  async post(
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TokenAnswer> {
    const response = await this.#fetch(this.origin + path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
    });
    const body = await response.json();
    return {
      status: response.status,
      headers: response.headers,
      body,
      accessToken: String(body["access_token"] ?? ""),
      refreshToken: String(body["refresh_token"] ?? ""),
    };
  }

  exchange(
    form: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TokenAnswer> {
    return this.post(
      "/token",
      { grant_type: "authorization_code", code_verifier: verifier, ...form },
      headers,
    );
  }

  refresh(token: string, form: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    return this.post("/token", { grant_type: "refresh_token", refresh_token: token, ...form });
  }

  /** One call of a tool in the 2025 era; the response as it came. */
  async call(token: string | null, tool: string, input: unknown = {}): Promise<Response> {
    return await this.#fetch(`${this.origin}/mcp`, {
      method: "POST",
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: tool, arguments: input },
      }),
    });
  }

  /** Whether that token opens anything now. */
  async opens(token: string): Promise<boolean> {
    const response = await this.call(token, "list_pages");
    await response.body?.cancel();
    return response.status === 200;
  }

  async toolNames(token: string): Promise<string[]> {
    return (await this.tools(token)).map(({ name }) => name);
  }

  async tools(token: string): Promise<readonly ToolSchema[]> {
    const response = await this.#fetch(`${this.origin}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    assert.equal(response.status, 200);
    const { result }: { readonly result: { readonly tools: readonly ToolSchema[] } } = await response
      .json();
    return result.tools;
  }
}
