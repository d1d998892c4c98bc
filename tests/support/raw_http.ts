/** HTTP by hand over a socket: exactly these bytes out, everything that comes back in, and whether it was closed. */

export interface RawAnswer {
  readonly text: string;
  /** True when the other end closed the connection within the time. */
  readonly closed: boolean;
}

export interface RawOptions {
  readonly port: number;
  /** How long to wait for more once everything is sent, in milliseconds. */
  readonly waitMs?: number;
  /** Stop waiting as soon as this holds of what came back. */
  readonly until?: (text: string) => boolean;
}

export async function sendRaw(bytes: string | Uint8Array, options: RawOptions): Promise<RawAnswer> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: options.port });
  try {
    const data = typeof bytes === "string" ? Uint8Array.from(bytes, (c) => c.charCodeAt(0)) : bytes;
    await writeAll(connection, data).catch(() => {});
    return await readAnswer(connection, options);
  } finally {
    closeQuietly(connection);
  }
}

/** Closes what may be closed already. */
export function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}

export async function writeAll(connection: Deno.Conn, data: Uint8Array): Promise<void> {
  for (let sent = 0; sent < data.byteLength;) sent += await connection.write(data.subarray(sent));
}

export async function readAnswer(connection: Deno.Conn, options: RawOptions): Promise<RawAnswer> {
  const buffer = new Uint8Array(65536);
  const decoder = new TextDecoder("latin1");
  let text = "";
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    closeQuietly(connection);
  }, options.waitMs ?? 1000);
  try {
    while (options.until?.(text) !== true) {
      const count = await connection.read(buffer);
      if (count === null) return { text, closed: true };
      text += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
    return { text, closed: false };
  } catch {
    return { text, closed: !over };
  } finally {
    clearTimeout(timer);
  }
}

/** The status of the first answer, `null` when there is none. */
export function statusOf(text: string): number | null {
  const match = /^HTTP\/1\.1 (\d{3})/.exec(text);
  return match === null ? null : Number(match[1]);
}
