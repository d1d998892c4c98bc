/** The few things about a page of documentation that the checks of this folder look at. */

export interface Page {
  /** Front matter as plain `key: value` pairs; a list is one entry per item. */
  readonly front: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** Reads a page with `---` front matter of scalars and `- ` lists; a page without one has an empty `front`. */
export function readPage(text: string): Page {
  const match = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (match === null) return { front: {}, body: text };
  const front: Record<string, string | string[]> = {};
  let list: string[] | null = null;
  for (const line of (match[1] ?? "").split("\n")) {
    const item = /^\s+- (.*)$/.exec(line);
    if (item !== null) {
      list?.push(item[1] ?? "");
      continue;
    }
    const pair = /^([\w-]+):\s*(.*)$/.exec(line);
    if (pair === null) continue;
    const [, key = "", value = ""] = pair;
    list = value === "" ? [] : null;
    front[key] = list ?? value;
  }
  return { front, body: text.slice(match[0].length) };
}

/** Targets of links and images, outside code. */
export function linksOf(body: string): string[] {
  const prose = withoutCode(body);
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1] ?? "");
}

/** Heading anchors as GitHub makes them. */
export function anchorsOf(body: string): Set<string> {
  const anchors = new Set<string>();
  for (const match of body.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)) {
    const text = (match[1] ?? "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(body: string): string {
  return body.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}
