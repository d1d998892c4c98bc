/** From a response of the endpoint to the JSON-RPC messages in it, as they come. */

/** JSON texts, each one message. Nothing for what answers nobody: a notification, or a caller who left. */
export async function* messagesOf(response: Response): AsyncGenerator<string> {
  const { body } = response;
  if (body === null) return;
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) yield* eventsIn(body);
  else if (type.startsWith("application/json")) yield await response.text();
  else await body.cancel();
}

/** The data of each event, read no faster than it is taken. */
async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data !== undefined && data !== "") yield data;
    }
  }
}
