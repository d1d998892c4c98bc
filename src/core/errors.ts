/**
 * The closed table of failures that a caller may see, and the one error class that carries them.
 *
 * An `AppError` is expected: its message and remedy are written for a model or an operator and hold no
 * secret, no local path and no text of a foreign exception. Everything else that is thrown is unexpected and
 * reaches a caller only as `internal` with an incident id (`tools/run.ts`, `http/`).
 */

/** Codes of the page tools (product §4.4). */
export type NoteCode =
  | "not_found"
  | "already_exists"
  | "conflict"
  | "precondition_required"
  | "invalid_path"
  | "forbidden_path"
  | "read_only"
  | "too_large"
  | "protected"
  | "ambiguous"
  | "no_match"
  | "invalid_argument"
  | "upstream"
  | "rate_limited"
  | "internal";

/** Codes of the folder tools: the wire strings of personal-mcp-bridge, used everywhere for folders. */
export type FolderCode =
  | "path-excluded"
  | "file-not-found"
  | "not-a-directory"
  | "unknown-root"
  | "invalid-argument"
  | "invalid-params"
  | "permission-denied"
  | "archive-rejected"
  | "internal-error";

export type ErrorCode = NoteCode | FolderCode;

/** Why SilverBullet did not do what was asked; a person can act on each. */
export type UpstreamKind =
  | "unreachable"
  | "timeout"
  | "auth"
  | "forbidden"
  | "html_page"
  | "read_only"
  | "fault";

export interface ErrorTraits {
  /** HTTP-like status that is part of the JSON of an error. */
  readonly status: number;
  /** True when the very same call may succeed later. */
  readonly retryable: boolean;
}

const traits: Readonly<Record<ErrorCode, ErrorTraits>> = {
  not_found: { status: 404, retryable: false },
  already_exists: { status: 409, retryable: false },
  conflict: { status: 409, retryable: false },
  precondition_required: { status: 428, retryable: false },
  invalid_path: { status: 422, retryable: false },
  forbidden_path: { status: 403, retryable: false },
  read_only: { status: 403, retryable: false },
  too_large: { status: 413, retryable: false },
  protected: { status: 403, retryable: false },
  ambiguous: { status: 409, retryable: false },
  no_match: { status: 422, retryable: false },
  invalid_argument: { status: 400, retryable: false },
  upstream: { status: 502, retryable: true },
  rate_limited: { status: 429, retryable: true },
  internal: { status: 500, retryable: false },
  "path-excluded": { status: 403, retryable: false },
  "file-not-found": { status: 404, retryable: false },
  "not-a-directory": { status: 400, retryable: false },
  "unknown-root": { status: 403, retryable: false },
  "invalid-argument": { status: 400, retryable: false },
  "invalid-params": { status: 400, retryable: false },
  "permission-denied": { status: 403, retryable: false },
  "archive-rejected": { status: 422, retryable: false },
  "internal-error": { status: 500, retryable: false },
};

export interface AppErrorOptions {
  readonly code: ErrorCode;
  /** Capital, active, no full stop; says the state and what was wanted. */
  readonly message: string;
  /** What to do next, naming tools as `tool_name`; a sentence or two. */
  readonly remedy: string;
  /** Only for `upstream`. */
  readonly upstream?: UpstreamKind;
  /** Overrides the table's status (upstream: 503 unreachable, 504 timeout). */
  readonly status?: number;
  readonly retryable?: boolean;
  /** More members for the JSON of the error (close names, counts, current etag, diff). JSON values only. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** For the log only; never sent to a caller. */
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly upstream: UpstreamKind | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = options.code;
    this.remedy = options.remedy;
    this.upstream = options.upstream;
    this.status = options.status ?? statusOf(options.code, options.upstream);
    this.retryable = options.retryable ?? traits[options.code].retryable;
    this.details = options.details ?? {};
  }
}

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(traits, value);
}

/** Every code with its traits, for the generated reference. */
export function errorTable(): ReadonlyArray<readonly [ErrorCode, ErrorTraits]> {
  return Object.entries(traits) as ReadonlyArray<readonly [ErrorCode, ErrorTraits]>;
}

function statusOf(code: ErrorCode, upstream: UpstreamKind | undefined): number {
  if (upstream === "unreachable") return 503;
  if (upstream === "timeout") return 504;
  return traits[code].status;
}
