/**
 * How many connections the process can afford: found out by opening descriptors, since Deno tells no limit.
 *
 * A listener that runs out of descriptors stops accepting for ever without a word, so the cap leaves room for the
 * connections to SilverBullet, the state file and whatever else is open.
 */

const wanted = 256;
/** Descriptors that are looked for: far enough beyond what is wanted that a burst raises no false alarm. */
const looked = 600;
const spare = 96;
const least = 8;
/** Descriptors that the program uses besides, at most. */
const alarmSpare = 64;

export interface Opener {
  /** Opens one descriptor; throws when there is none left. */
  open(): { close(): void };
}

export interface ConnectionBudget {
  /** Connections to keep open. */
  readonly max: number;
  /** Connections, those being closed included, at which descriptors may have run out. */
  readonly alarm: number;
}

/** Opens and closes a harmless file many times; must run before anything else of the process is under way. */
export function affordableConnections(opener: Opener = nullDevice): ConnectionBudget {
  const held: Array<{ close(): void }> = [];
  try {
    while (held.length < looked) held.push(opener.open());
  } catch {
    // The limit is reached: what is held is what there is.
  } finally {
    for (const file of held) file.close();
  }
  const max = Math.max(least, Math.min(wanted, held.length - spare));
  return { max, alarm: Math.max(max + 1, held.length - alarmSpare) };
}

const nullDevice: Opener = {
  open: () => Deno.openSync(Deno.build.os === "windows" ? "NUL" : "/dev/null"),
};
