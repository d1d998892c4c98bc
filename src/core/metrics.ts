/**
 * Counts for the operator's monitoring: what happened since the start, by a few fixed labels, written as Prometheus reads
 * it (text format 0.0.4). Holds numbers only; the parts of the program say what they count.
 */

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge";
  readonly values: readonly { readonly labels?: Labels; readonly value: number }[];
}

/** More different label sets of one counter are counted together. */
const mostSeries = 500;

/** A number for each set of labels, which only grows. */
export class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key);
    if (known !== undefined) known.value += amount;
    else if (this.#series.size < mostSeries) this.#series.set(key, { labels, value: amount });
  }

  sample(): Sample {
    return { name: this.#name, help: this.#help, kind: "counter", values: [...this.#series.values()] };
  }
}

export function gauge(name: string, help: string, value: number): Sample {
  return { name, help, kind: "gauge", values: [{ value }] };
}

export function counted(name: string, help: string, value: number): Sample {
  return { name, help, kind: "counter", values: [{ value }] };
}

export function formatMetrics(samples: readonly Sample[]): string {
  const lines: string[] = [];
  for (const { name, help, kind, values } of samples) {
    lines.push(`# HELP ${name} ${help.replace(/[\\\n]/g, " ")}`, `# TYPE ${name} ${kind}`);
    for (const { labels = {}, value } of values) lines.push(`${name}${formatLabels(labels)} ${value}`);
  }
  return `${lines.join("\n")}\n`;
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
