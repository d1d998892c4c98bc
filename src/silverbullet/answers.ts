/**
 * What an answer is: data of SilverBullet's API, or one of the many other things that can come back from its address.
 *
 * Judged by content, not by status alone: SilverBullet answers 200 and its web page for paths it does not know, Go
 * servers even for PUT, and login proxies answer 200 with a form. Texts of the server are matched, never shown.
 */

import type { AppError } from "../core/errors.ts";
import { cloudflareHint } from "./cloudflare_hint.ts";
import { upstream, withHint } from "./failures.ts";
import type { Answer } from "./transport.ts";

export function isHtml(answer: Answer): boolean {
  const type = answer.headers.get("content-type");
  if (type !== null && /^\s*(text\/html|application\/xhtml)/i.test(type)) return true;
  return type === null && /^\s*<(!doctype|html)/i.test(bodyText(answer));
}

/** True for an answer that only SilverBullet's file API gives: it carries the file's time. */
export function isFileAnswer(answer: Answer): boolean {
  return answer.status === 200 && answer.headers.has("x-last-modified");
}

/** True for a plain "no such file"; a web page with 404 says that there is no space at this address. */
export function isMissing(answer: Answer): boolean {
  return answer.status === 404 && !isHtml(answer);
}

/** True when the body of a change says that it was made. */
export function saysOk(answer: Answer): boolean {
  return answer.status === 200 && !isHtml(answer) && bodyText(answer).trim() === "OK";
}

/** The failure that an answer stands for, when it is not the data that was asked for. */
export function failureOf(answer: Answer, what: string, origin: string): AppError {
  return withHint(plainFailure(answer, what, origin), cloudflareHint(answer));
}

function plainFailure(answer: Answer, what: string, origin: string): AppError {
  const { status } = answer;
  const text = bodyText(answer);
  if (status >= 300 && status < 400) return redirectFailure(answer, what, origin);
  if (status === 401) {
    return upstream("auth", {
      doing: what,
      reason: "SilverBullet wants a token, and got none that it accepts",
    });
  }
  if (status === 403) return forbiddenFailure(text, isHtml(answer), what);
  if (status === 404 && isHtml(answer)) {
    return upstream("html_page", { doing: what, reason: "no space answers at the configured address" });
  }
  if (status === 502 || status === 503) {
    return upstream("unreachable", {
      doing: what,
      reason: "a proxy answers that SilverBullet is not available",
    });
  }
  if (status === 504) {
    return upstream("timeout", { doing: what, reason: "a proxy waited too long for SilverBullet" });
  }
  if (status === 507 || /no space left/i.test(text)) {
    return upstream("fault", {
      doing: what,
      reason: "SilverBullet's disk is full",
      remedy: "Ask the operator to free space on SilverBullet's disk before anything is written.",
    });
  }
  if (status === 429) {
    return upstream("fault", { doing: what, reason: "a proxy limits the requests to SilverBullet" });
  }
  if (isHtml(answer)) {
    return upstream("html_page", { doing: what, reason: "a web page was answered instead of data" });
  }
  if (status === 413) {
    return upstream("fault", { doing: what, reason: "a proxy does not let a body of this size through" });
  }
  if (status === 200) {
    return upstream("fault", { doing: what, reason: "the answer is not what SilverBullet's file API gives" });
  }
  return upstream("fault", { doing: what, reason: `SilverBullet answered with status ${status}` });
}

/** True for a refusal that R servers word so for read-only paths, not for missing rights. */
export function saysReadOnly(answer: Answer): boolean {
  return answer.status === 403 && /^read-only/i.test(bodyText(answer));
}

/**
 * True when a change that was answered so was certainly not made: refused before anything was touched, or answered by
 * something that is not SilverBullet's file API.
 */
export function certainlyNotMade(answer: Answer): boolean {
  if (answer.status >= 300 && answer.status < 500) return true;
  return answer.status === 200 && isHtml(answer);
}

export function bodyText(answer: Answer): string {
  return new TextDecoder().decode(answer.body.subarray(0, 1024));
}

function forbiddenFailure(text: string, html: boolean, what: string): AppError {
  if (/^read-only/i.test(text)) {
    return upstream("read_only", { doing: what, reason: "SilverBullet says that it is read-only" });
  }
  if (html) {
    return upstream("forbidden", {
      doing: what,
      reason: "something before SilverBullet refuses the request",
      remedy:
        "Ask the operator to let this program's requests through the login proxy or firewall before SilverBullet.",
    });
  }
  return upstream("forbidden", { doing: what, reason: "SilverBullet refuses it for this account" });
}

function redirectFailure(answer: Answer, what: string, origin: string): AppError {
  const location = answer.headers.get("location") ?? "";
  const target = URL.parse(location, `${origin}/`);
  if (target === null) return upstream("html_page", { doing: what, reason: "a redirection was answered" });
  if (/\/\.setup\/?$/.test(target.pathname)) {
    return upstream("fault", {
      doing: what,
      reason: "SilverBullet is not set up yet",
      remedy: "Ask the operator to finish SilverBullet's setup in a browser.",
    });
  }
  if (target.origin === origin && /\/\.auth(\/|$)/.test(target.pathname)) {
    return upstream("auth", { doing: what, reason: "SilverBullet asks for a sign-in" });
  }
  if (sameHost(target, origin)) {
    return upstream("html_page", {
      doing: what,
      reason: "the configured address redirects to another one of the same host",
      remedy:
        "Ask the operator to set SILVERBRIDGE_SILVERBULLET_URL to the address that SilverBullet is opened at " +
        "in a browser, https and path prefix included.",
    });
  }
  return upstream("auth", { doing: what, reason: "a sign-in page of another host was answered" });
}

function sameHost(target: URL, origin: string): boolean {
  return target.hostname === URL.parse(origin)?.hostname;
}
