/** What came from a server or a client, for a terminal: it must not move the cursor or hide what stands beside it. */

export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}
