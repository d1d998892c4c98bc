/** Random identifiers. */

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A lower-case identifier of `length` characters, 5 bits each, from the system's random source. */
export function randomId(length = 16): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}
