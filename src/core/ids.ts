/** Random identifiers. */

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A lower-case identifier of `length` characters, 5 bits each, from the system's random source. */
export function randomId(length = 16): string {
  let id = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) id += alphabet[byte & 31];
  return id;
}
