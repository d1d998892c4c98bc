/** One setting as it came out of loading. Holds shown text only: a secret is already masked here. */

export interface EffectiveSetting {
  /** Canonical name without prefix, such as `PORT`. */
  readonly name: string;
  /** Masked where the setting is a secret; empty where nothing is set. */
  readonly shown: string;
  /** Where it came from: a variable, a flag, a file and line, `default`, `derived`. */
  readonly origin: string;
}
