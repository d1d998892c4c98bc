/** The event stream format (HTML Standard §9.2), as far as SilverBullet uses it: unnamed events with data. */

const longestEvent = 1024 * 1024;

/**
 * Takes text as it arrives and answers the data of every event that is complete. Comments, ids, named events and events
 * over a megabyte are left out.
 */
export function createEventParser(): (text: string) => string[] {
  let rest = "";
  let data: string[] = [];
  let isNamed = false;
  let size = 0;

  function takeLine(line: string): string | null {
    if (line === "") {
      const event = data.length > 0 && !isNamed && size <= longestEvent ? data.join("\n") : null;
      data = [];
      isNamed = false;
      size = 0;
      return event;
    }
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event" && value !== "message") isNamed = true;
    if (field === "data") {
      size += value.length;
      if (size <= longestEvent) data.push(value);
    }
    return null;
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > longestEvent) {
      size += rest.length;
      rest = "data:";
    }
    return lines.map(takeLine).filter((event) => event !== null);
  };
}
