/**
 * Writing text to a standard stream whose reader may go away, be slow, or be a disk that is full.
 *
 * What cannot be written is dropped: nobody who asks for a page should suffer for a log that nobody reads. A reader that
 * is gone does not come back, so nothing more is tried then; after any other fault the next text begins on a line of its
 * own.
 */

/** What this file needs of `Deno.stdout` and `Deno.stderr`. */
export interface ByteSink {
  /** Writes some of the bytes and answers how many; throws the system's error. */
  writeSync(bytes: Uint8Array): number;
}

/** Answers a function that writes all of a text, or as much as can be written. It never throws. */
export function textSink(sink: ByteSink): (text: string) => void {
  const encoder = new TextEncoder();
  let gone = false;
  let cut = false;
  return (text) => {
    if (gone) return;
    const bytes = encoder.encode(cut ? `\n${text}` : text);
    let written = 0;
    try {
      while (written < bytes.byteLength) {
        const count = sink.writeSync(bytes.subarray(written));
        if (count === 0) break;
        written += count;
      }
    } catch (error) {
      gone = error instanceof Deno.errors.BrokenPipe;
    }
    // With nothing written the line before is as it was.
    if (written > 0) cut = written < bytes.byteLength;
  };
}
