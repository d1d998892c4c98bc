/** How many line breaks `text` has. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) count++;
  return count;
}
