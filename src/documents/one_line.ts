/** Texts that have to fit into one line: cells of tables, notes, words of a chart. */

/** Each run of white space is one space. Takes time in proportion to the length, whatever the white space is. */
export function inOneLine(...texts: readonly string[]): string {
  return texts.join(" ").replace(/\s+/g, " ").trim();
}
