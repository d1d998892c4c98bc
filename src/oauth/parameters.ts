/**
 * The parameters of a query or a form, as RFC 6749 §3 wants them read: an empty one counts as absent, and one that
 * comes twice makes the request malformed, but for `resource`, which RFC 8707 lets repeat.
 */

/** Longest value of one parameter. Clients put signed tokens of some kilobytes into `state`. */
const maxValue = 8192;
const maxCount = 256;
// deno-lint-ignore no-control-regex
const control = /[\0-\x1f\x7f]/;

export class Parameters {
  readonly #values = new Map<string, string[]>();
  /** False where there are too many parameters to look at. */
  readonly complete: boolean;

  /** `text` as sent: percent-encoded pairs joined by `&`. */
  constructor(text: string) {
    let count = 0;
    for (const [name, value] of new URLSearchParams(text)) {
      if (++count > maxCount) break;
      const known = this.#values.get(name);
      if (known === undefined) this.#values.set(name, [value]);
      else known.push(value);
    }
    this.complete = count <= maxCount;
  }

  /** The value, the first of several; `null` where there is none or it is empty. */
  one(name: string): string | null {
    const value = this.#values.get(name)?.[0] ?? "";
    return value === "" ? null : value;
  }

  /** The value of a field that a person typed, its line breaks as `\n`; empty where there is none. */
  text(name: string): string {
    return (this.one(name) ?? "").replace(/\r\n?/g, "\n");
  }

  all(name: string): readonly string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== "");
  }

  repeats(name: string): boolean {
    return (this.#values.get(name)?.length ?? 0) > 1;
  }

  /** Of these parameters, whether any came twice, is too long or holds control characters. */
  fault(names: readonly string[]): "parameter_repeated" | "parameter_malformed" | null {
    if (!this.complete) return "parameter_malformed";
    for (const name of names) {
      if (name !== "resource" && this.repeats(name)) return "parameter_repeated";
      if (this.all(name).some((value) => value.length > maxValue || control.test(value))) {
        return "parameter_malformed";
      }
    }
    return null;
  }
}

/** The parameters of a form body; `null` where the body is something else, such as JSON. */
export function formParameters(
  body: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Parameters | null {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return null;
  return new Parameters(new TextDecoder().decode(body));
}
