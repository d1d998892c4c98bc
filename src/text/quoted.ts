/** Words of a caller or of a page inside a message: as a JSON string, and cut where they would fill the message. */

const longest = 120;

/** `text` in quotes; of a long one the beginning and an ellipsis. */
export function quoted(text: string): string {
  if (text.length <= longest) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, longest).toWellFormed()}…`);
}
