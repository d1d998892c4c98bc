/// <reference lib="deno.worker" />
/**
 * The server worker: greets the launcher, takes the configuration, serves, and stops when asked to.
 *
 * Runs with the permissions that the launcher computed and no others. It keeps the right to its own listening
 * address, since a listener that went deaf has to be replaced.
 */

import { createLogger, type Logger } from "../core/log.ts";
import { systemClock } from "../core/clock.ts";
import { textSink } from "../core/text_sink.ts";
import { askDocuments } from "./document_port.ts";
import { askExtract } from "./extract_port.ts";
import { isToServer } from "./messages.ts";
import type { FromServer } from "./messages.ts";
import { ServerProcess } from "./server_process.ts";
import { silenceConsole } from "./standard_streams.ts";
import { StdioProcess } from "./stdio_process.ts";

const writeText = textSink(Deno.stderr);
let server: ServerProcess | StdioProcess | null = null;

function tell(message: FromServer): void {
  self.postMessage(message);
}

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (!isToServer(data)) return;
  switch (data.kind) {
    case "init": {
      const { logLevel: level, logFormat: format } = data.config;
      const logger: Logger = createLogger({
        level,
        format,
        clock: systemClock,
        write: (line) => writeText(`${line}\n`),
      });
      const fetchDocument = data.documents === null ? null : askDocuments(data.documents);
      const readDocument = data.extract === null ? null : askExtract(data.extract);
      const options = { ...data, fetchDocument, readDocument, logger, clock: systemClock, tell };
      if (data.transport === "stdio") silenceConsole();
      server = data.transport === "stdio" ? new StdioProcess(options) : new ServerProcess(options);
      return void server.start();
    }
    case "ping":
      return tell({ kind: "pong", beat: data.beat });
    case "stop":
      return server === null ? tell({ kind: "stopped", finished: true }) : void server.stop(data.graceMs);
  }
});

self.addEventListener("error", (event) => {
  event.preventDefault();
  server?.unexpected(event.error);
});

self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  server?.unexpected(event.reason);
});

tell({ kind: "hello" });
