/** Cookies of this program: read strictly, set so that no script and no other site gets at them. */

import type { HeaderSource } from "../web/peer.ts";

export interface CookieLasting {
  readonly seconds: number;
  /** Never sent with what a page of another site begins, not even with a link that is followed. */
  readonly isStrict: boolean;
}

export interface CookieJar {
  /** The value; `null` where there is none, or more than one of that name. */
  read(exchange: HeaderSource, name: string): string | null;
  /** The header value that sets it. `seconds`: how long it lasts; 0 removes it. */
  write(name: string, value: string, lasting: CookieLasting | number): string;
}

/**
 * `secure`: the public address is https. Then the `__Host-` prefix keeps other hosts of the domain from setting one;
 * plain http happens on loopback alone.
 */
export function createCookieJar({ secure }: { readonly secure: boolean }): CookieJar {
  const fullName = (name: string) => secure ? `__Host-silverbridge-${name}` : `silverbridge-${name}`;
  return {
    read(exchange, name) {
      const wanted = fullName(name);
      const values = (exchange.header("cookie") ?? "").split(/[;,]/).flatMap((pair) => {
        const cut = pair.indexOf("=");
        return pair.slice(0, Math.max(0, cut)).trim() === wanted ? [pair.slice(cut + 1).trim()] : [];
      });
      const [only, ...more] = values;
      return only === undefined || more.length > 0 ? null : only;
    },
    write(name, value, lasting) {
      const { seconds, isStrict } = typeof lasting === "number"
        ? { seconds: lasting, isStrict: false }
        : lasting;
      const parts = [
        `${fullName(name)}=${value}`,
        "Path=/",
        `Max-Age=${seconds}`,
        "HttpOnly",
        `SameSite=${isStrict ? "Strict" : "Lax"}`,
      ];
      return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
    },
  };
}
