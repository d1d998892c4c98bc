/** Which static tokens nobody can guess. The server judges those that it is given; of a hash nobody can tell any more. */

/** True for at least 32 characters, 10 of them different. */
export function isStrongToken(text: string): boolean {
  return text.length >= 32 && new Set(text).size >= 10;
}
