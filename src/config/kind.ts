/**
 * What a kind of setting is: how its text is read, and how a value is shown again.
 *
 * A refusal says what is wanted and never quotes what was given, so that a secret in the wrong variable stays one.
 */

export type Parsed<T> = { readonly value: T } | { readonly wanted: string };

export interface Kind<T> {
  /** For the reference page and `help`: `integer, 1 to 65535`. */
  readonly label: string;
  /** True where the flag alone means "on". */
  readonly isSwitch?: true;
  /** Text as it stands in a variable, a flag or a scalar of the configuration file. Never empty. */
  parse(text: string): Parsed<T>;
  /** Kinds that a YAML list may give as well; absent where one text is all there is. */
  parseItems?(items: readonly string[]): Parsed<T>;
  /** Text that `parse` reads to the same value. */
  show(value: T): string;
  /** The value with the paths in it made absolute; absent where there are none. */
  settle?(value: T, absolute: (path: string) => string): T;
}

/** Applies a further rule to what another kind accepted. */
export function refine<A, B>(kind: Kind<A>, options: {
  readonly label?: string;
  readonly check: (value: A) => Parsed<B>;
  readonly show: (value: B) => string;
}): Kind<B> {
  function then(parsed: Parsed<A>): Parsed<B> {
    return "wanted" in parsed ? parsed : options.check(parsed.value);
  }
  const parseItems = kind.parseItems?.bind(kind);
  return {
    label: options.label ?? kind.label,
    parse: (text) => then(kind.parse(text)),
    ...(parseItems === undefined ? {} : { parseItems: (items) => then(parseItems(items)) }),
    show: options.show,
  };
}
