/** Names of the pages that the spaces of the benchmarks hold. */

export function pageName(number: number): string {
  return `Folder ${number % 50}/Page ${number}`;
}
