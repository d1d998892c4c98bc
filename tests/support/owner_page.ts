/** An owner at the page at `/owner`: signs in, opens its parts, presses its buttons; and a client that is connected. */

import assert from "node:assert/strict";
import { type Browser, formOf, ownerSecret, type Page, pageOf, WireClient } from "./sign_in.ts";

export class Owner {
  readonly browser: Browser;
  readonly origin: string;

  constructor(browser: Browser, origin: string) {
    this.browser = browser;
    this.origin = origin;
  }

  open(path = "/owner"): Promise<Page> {
    return this.browser.open(this.origin + path);
  }

  /** Types a secret at the door of that part. */
  async enter(path = "/owner", secret = ownerSecret): Promise<Response> {
    return await this.press(await this.open(path), "sign-in", { secret });
  }

  async signIn(): Promise<void> {
    const response = await this.enter();
    assert.equal(response.status, 303, "the owner is let in");
  }

  /**
   * Presses a button of the page. `value`: what the button sends as `do`; `changes`: fields as they are typed, of which
   * hidden ones must be those of the form or empty there, so that they choose among several.
   */
  async press(
    page: Page,
    value: string,
    changes: Readonly<Record<string, string | string[]>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { action, fields } = buttonForm(page, value, changes);
    return await this.send(
      new URL(action, page.url).pathname + new URL(action, page.url).search,
      fields,
      headers,
    );
  }

  /** Sends fields to a path as this browser would, from the server's own page. */
  async send(
    path: string,
    fields: URLSearchParams | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return await this.browser.send(this.origin + path, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "origin": this.origin,
        "sec-fetch-site": "same-origin",
        "sec-fetch-mode": "navigate",
        ...headers,
      },
      body: fields.toString(),
    });
  }

  /** The page after the button: where the browser is sent on to, or what it got. */
  async after(response: Response): Promise<Page> {
    const location = response.headers.get("location");
    return location === null ? await pageOf(this.origin, response) : await this.open(location);
  }
}

/** The form that holds the button with that value and hidden fields as in `changes`, filled in. */
export function buttonForm(
  page: Page,
  value: string,
  changes: Readonly<Record<string, string | string[]>> = {},
): { readonly action: string; readonly fields: URLSearchParams } {
  const forms = [...page.html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([html]) => html)
    .filter((html) => html.includes(`name="do" value="${value}"`))
    .map((html) => ({ html, ...formOf({ ...page, html }) }))
    .filter(({ html, fields }) =>
      Object.entries(changes).every(([name, wanted]) =>
        !html.includes(`type="hidden" name="${name}"`) || ["", wanted].includes(fields.get(name) ?? "")
      )
    );
  const [form] = forms;
  assert.ok(form !== undefined, `a button ${value} on ${page.url}: ${page.text}`);
  const { action, fields } = form;
  for (const [name, wanted] of Object.entries(changes)) {
    fields.delete(name);
    for (const each of [wanted].flat()) fields.append(name, each);
  }
  fields.set("do", value);
  return { action, fields };
}

export interface Connected {
  readonly client: WireClient;
  readonly id: string;
  readonly token: string;
  readonly refresh: string;
  /** What a tool answers, its text blocks together; `ok` is false for an error. */
  tool(
    name: string,
    input?: unknown,
  ): Promise<{ readonly ok: boolean; readonly text: string; readonly status: number }>;
}

/** A client that the owner approves in that browser. */
export async function connect(
  browser: Browser,
  client: WireClient,
  {
    name = "Claude",
    redirect = "https://claude.ai/api/mcp/auth_callback",
    scope = null,
    changes = {},
  }: {
    readonly name?: string;
    readonly redirect?: string;
    readonly scope?: string | null;
    readonly changes?: Readonly<Record<string, string | string[]>>;
  } = {},
): Promise<Connected> {
  const { client_id: id } = await client.register({ client_name: name, redirect_uris: [redirect] });
  const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirect, scope });
  const back = await browser.approve(url, changes);
  const answer = await client.exchange({
    code: back.searchParams.get("code") ?? "",
    client_id: String(id),
    redirect_uri: redirect,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const token = answer.accessToken;
  return {
    client,
    token,
    id: String(id),
    refresh: answer.refreshToken,
    async tool(tool, input) {
      const response = await client.call(token, tool, input);
      const body = await response.json();
      const content: readonly { readonly text?: string }[] = body.result?.content ?? [];
      return {
        status: response.status,
        ok: response.status === 200 && body.result?.isError !== true && body.error === undefined,
        text: content.map(({ text }) => text ?? "").join("\n") || JSON.stringify(body),
      };
    },
  };
}
