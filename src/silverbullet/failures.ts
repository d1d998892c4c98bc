/**
 * What can go wrong between here and SilverBullet, as errors that a person can act on.
 *
 * Messages are ours alone: no text of the server, no address, no local path, no token. After a change that failed,
 * `details.outcome` says what became of the page: `unchanged`, `restored` (our own half-written bytes were replaced
 * by what was there), `damaged` (that failed too), or `unknown`.
 */

import { AppError, type UpstreamKind } from "../core/errors.ts";
import { pageNameOf, type PagePath } from "../core/page_name.ts";

export type Outcome = "unchanged" | "restored" | "damaged" | "unknown";

/** Nothing was sent: no connection came about. */
export class NotConnected extends AppError {}

/** The connection broke or the time ran out after something may have been sent. */
export class LostAnswer extends AppError {
  readonly timedOut: boolean;

  constructor(failure: AppError, timedOut: boolean) {
    super(optionsOf(failure));
    this.timedOut = timedOut;
  }
}

/** `read page "Projects/Alpha"`, to follow "Cannot". */
export function doing(verb: "read" | "write" | "delete" | "look at", path: PagePath): string {
  return `${verb} page ${JSON.stringify(pageNameOf(path))}`;
}

const remedies: Readonly<Record<UpstreamKind, string>> = {
  unreachable:
    "Try again in a minute; if it stays so, ask the operator to check that SilverBullet is running and that " +
    "SILVERBRIDGE_SILVERBULLET_URL is its address.",
  timeout:
    "Try again in a minute; if it stays so, ask the operator whether SilverBullet or its disk is overloaded.",
  auth:
    "Ask the operator to check SILVERBRIDGE_SILVERBULLET_TOKEN: SilverBullet must have SB_USER and SB_AUTH_TOKEN " +
    "set, or an API token of an account, and a login proxy must let this token through.",
  forbidden:
    "Ask the operator to give the account behind SILVERBRIDGE_SILVERBULLET_TOKEN the right that is missing.",
  html_page:
    "Ask the operator to check SILVERBRIDGE_SILVERBULLET_URL, its path prefix included: a web page answered where " +
    "SilverBullet's file API was expected; a login proxy must let requests with the token through.",
  read_only:
    "SilverBullet itself takes no changes; the operator may unset SB_READ_ONLY there. Do not try again.",
  fault: "Try again once; if it fails again, ask the operator to look at SilverBullet's own log.",
};

const lasting: ReadonlySet<UpstreamKind> = new Set(["auth", "forbidden", "html_page", "read_only"]);

export interface UpstreamOptions {
  /** What was being done, to follow "Cannot": `list the pages`. */
  readonly doing: string;
  /** What was met, to follow a colon. */
  readonly reason: string;
  readonly remedy?: string;
  readonly cause?: unknown;
}

export function upstream(kind: UpstreamKind, options: UpstreamOptions): AppError {
  return new AppError({
    code: "upstream",
    upstream: kind,
    message: `Cannot ${options.doing}: ${options.reason}`,
    remedy: options.remedy ?? remedies[kind],
    retryable: !lasting.has(kind),
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });
}

/** A failed request as Deno reports it, in words that give nothing away. */
export function connectionFailure(what: string, error: unknown): AppError {
  const text = causeText(error);
  if (text.includes("InvalidContentType")) {
    return notConnected(what, "what answers for SilverBullet does not speak https", {
      remedy:
        "Ask the operator to begin SILVERBRIDGE_SILVERBULLET_URL with http://, or to give the address where https is spoken.",
      cause: error,
    });
  }
  if (/certificate|tls|handshake/i.test(text)) {
    return notConnected(what, "its certificate is not trusted", {
      remedy:
        "Ask the operator to set SILVERBRIDGE_SILVERBULLET_CA_FILE to the authority that signed SilverBullet's " +
        "certificate, and to check the host name in SILVERBRIDGE_SILVERBULLET_URL.",
      cause: error,
    });
  }
  if (/dns error|lookup address|name or service/i.test(text)) {
    return notConnected(what, "the host name of SilverBullet is not known", { cause: error });
  }
  if (/\(connect\)|connection refused|connect error/i.test(text)) {
    return notConnected(what, "SilverBullet accepts no connection", { cause: error });
  }
  const broken = { doing: what, reason: "the connection to SilverBullet broke", cause: error };
  const noHttp = {
    ...broken,
    reason: "what answers for SilverBullet does not speak http",
    remedy: "Ask the operator whether SILVERBRIDGE_SILVERBULLET_URL must begin with https://.",
  };
  const failure = upstream("unreachable", /invalid HTTP version/i.test(text) ? noHttp : broken);
  return new LostAnswer(failure, false);
}

export function timeoutFailure(what: string, milliseconds: number): AppError {
  const seconds = Math.max(0.1, Math.round(milliseconds / 100) / 10);
  const reason = `SilverBullet did not answer in full within ${seconds} s`;
  return new LostAnswer(upstream("timeout", { doing: what, reason }), true);
}

export function tooLarge(what: string, limit: number): AppError {
  return new AppError({
    code: "too_large",
    message: `Cannot ${what}: it is larger than ${limit} bytes`,
    remedy: "Work with a smaller file; this limit cannot be raised by a call.",
  });
}

/** A file that comes with SilverBullet and that nobody can change. */
export function bundledFile(what: string): AppError {
  return new AppError({
    code: "read_only",
    message: `Cannot ${what}: it comes with SilverBullet and is read-only`,
    remedy: "Make a page of your own under another name with `create_page`.",
  });
}

/** The same failure with what became of the page. */
export function withOutcome(failure: AppError, outcome: Outcome): AppError {
  const options = optionsOf(failure);
  const said: Readonly<Record<Outcome, string>> = {
    unchanged: "the page is as it was",
    restored: "everything was put back as it was",
    damaged: "the page is incomplete now",
    unknown: "whether the change was made is not known",
  };
  const remedy: Readonly<Record<Outcome, string>> = {
    unchanged: options.remedy,
    restored: options.remedy,
    damaged:
      "Tell the user at once: the page must be put back from `page_history`, or from what was read before.",
    unknown: "Read the page before anything else: the change may have been made, or may still be made.",
  };
  return new AppError({
    ...options,
    message: `${options.message}; ${said[outcome]}`,
    remedy: remedy[outcome],
    details: { ...options.details, outcome },
  });
}

/** The same failure with a note behind its message. */
export function withHint(failure: AppError, hint: string): AppError {
  if (hint === "") return failure;
  const options = optionsOf(failure);
  return new AppError({ ...options, message: options.message + hint });
}

function notConnected(what: string, reason: string, more: { remedy?: string; cause: unknown }): AppError {
  return new NotConnected(optionsOf(upstream("unreachable", { doing: what, reason, ...more })));
}

function optionsOf(failure: AppError) {
  return {
    code: failure.code,
    message: failure.message,
    remedy: failure.remedy,
    status: failure.status,
    retryable: failure.retryable,
    details: failure.details,
    ...(failure.upstream === undefined ? {} : { upstream: failure.upstream }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  };
}

/** Texts of an exception and of what caused it; only ever matched, never shown. */
function causeText(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    parts.push(at.message);
  }
  return parts.join(" ");
}
