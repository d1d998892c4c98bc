/** Rows of figures, shown as Markdown tables while they come and kept for a file of JSON. */

export type Row = Readonly<Record<string, string | number>>;

export class Report {
  readonly sections: Record<string, Row[]> = {};
  #open = "";

  /** Adds a row; the first one of a section brings its heading and the names of the columns. */
  add(section: string, row: Row): void {
    const names = Object.keys(row);
    if (section !== this.#open) {
      const rule = names.map((name) => (typeof row[name] === "number" ? "---:" : "---"));
      console.log(`\n## ${section}\n\n| ${names.join(" | ")} |\n| ${rule.join(" | ")} |`);
      this.#open = section;
    }
    console.log(`| ${names.map((name) => shown(row[name])).join(" | ")} |`);
    (this.sections[section] ??= []).push(row);
  }
}

function shown(value: string | number | undefined): string {
  if (typeof value !== "number") return value ?? "";
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(3);
}
