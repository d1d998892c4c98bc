/** The state cannot be used as it is. The message names no path of this machine; `remedy` says what to do. */

export type StateErrorKind = "unwritable" | "newer" | "damaged" | "foreign" | "gone";

export class StateError extends Error {
  readonly kind: StateErrorKind;
  readonly remedy: string;

  constructor(kind: StateErrorKind, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StateError";
    this.kind = kind;
    this.remedy = remedy;
  }
}
