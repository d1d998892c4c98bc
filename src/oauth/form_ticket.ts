/**
 * Binds a form to the browser that it was shown in and to what it is about, so that no other page can send it.
 *
 * The key is a random cookie of that browser: nobody else knows it, and the server keeps nothing, so that a form is
 * still good after a restart and in front of another process.
 */

import { equalHashes, hmacBase64Url, randomSecret, sha256Hex } from "../core/secrets.ts";

/** How long a form may lie before it is sent; milliseconds. */
export const ticketLifeMs = 30 * 60_000;

export function newFormKey(): string {
  return randomSecret();
}

export function isFormKey(text: string | null): text is string {
  return text !== null && /^[\w-]{43}$/.test(text);
}

export interface TicketParts {
  readonly key: string;
  /** What the form is about: the request with all its parameters. */
  readonly subject: string;
  readonly now: number;
}

export function makeTicket({ key, subject, now }: TicketParts): string {
  const expires = String(now + ticketLifeMs);
  return `${expires}.${seal(key, expires, subject)}`;
}

/** False for a ticket of another browser, another subject, another time, or none. */
export function isTicket(ticket: string, { key, subject, now }: TicketParts): boolean {
  const [, expires = "", mark = ""] = /^(\d{13,15})\.([\w-]{43})$/.exec(ticket) ?? [];
  const inTime = now < Number(expires) && Number(expires) <= now + 2 * ticketLifeMs;
  return inTime && equalHashes(sha256Hex(mark), sha256Hex(seal(key, expires, subject)));
}

/** Until when that ticket is good; 0 for what is none. */
export function ticketExpires(ticket: string): number {
  return Number(/^(\d{13,15})\./.exec(ticket)?.[1] ?? 0);
}

function seal(key: string, expires: string, subject: string): string {
  return hmacBase64Url(key, `${expires}\n${subject}`);
}
