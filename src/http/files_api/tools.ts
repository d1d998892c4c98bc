/** Which folder tool answers at which address, and under which names `POST /call` knows them. */

/** Addresses with a tool of their own; `read_multiple_files` has none. */
export const toolOfRoute = {
  roots: "list_roots",
  files: "list_files",
  read: "read_file",
  "read-range": "read_file_range",
  tail: "tail_file",
  "file-info": "get_file_info",
  search: "search_files",
} as const;

export type FileRoute = keyof typeof toolOfRoute;

export const fileRoutes = Object.keys(toolOfRoute) as readonly FileRoute[];

/** The tool that a caller of `/call` means; `search` is its name in personal-mcp-bridge. `null`: none of these. */
export function toolCalled(name: string): string | null {
  if (name === "search") return "search_files";
  return name === "read_multiple_files" || Object.values<string>(toolOfRoute).includes(name) ? name : null;
}

/** The same text for callers of addresses: what names a tool names its address. */
export function withAddresses(text: string): string {
  return text.replace(/`([a-z_]+)`/g, (code, name) => {
    const route = fileRoutes.find((each) => toolOfRoute[each] === name);
    return route === undefined ? code : `\`GET /${route}\``;
  });
}
