/** The other two ways to call a folder tool of the running program: `POST /call`, and `GET` where a tool has an address. */

import { type Program, token } from "./app.ts";
import type { FolderAnswer, FolderCallerOverWire } from "./folder_callers.ts";

const addresses: Readonly<Record<string, string>> = {
  list_roots: "/roots",
  list_files: "/files",
  read_file: "/read",
  read_file_range: "/read-range",
  tail_file: "/tail",
  get_file_info: "/file-info",
  search_files: "/search",
};

const headers = { authorization: `Bearer ${token}` };

export function overCall(program: Program): FolderCallerOverWire {
  return {
    name: "POST /call",
    async call(tool, args) {
      return await answerOf(
        await fetch(`${program.url}/call`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ tool, args }),
        }),
      );
    },
  };
}

export function overGet(program: Program): FolderCallerOverWire {
  return {
    name: "GET",
    call(tool, args) {
      const address = addresses[tool];
      const query = queryOf(args);
      if (address === undefined || query === null) return null;
      return fetch(`${program.url}${address}?${query}`, { headers }).then(answerOf);
    },
  };
}

/** `null` for what no query can say: other types than text where the tool wants text, lists and objects. */
function queryOf(args: Readonly<Record<string, unknown>>): string | null {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    const isText = typeof value === "string";
    if (!isText && (typeof value === "object" || name === "path" || name === "root")) return null;
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  }
  return pairs.join("&");
}

async function answerOf(response: Response): Promise<FolderAnswer & { readonly status: number }> {
  const raw = await response.text();
  const json = JSON.parse(raw);
  const code = response.status === 200 ? null : String(json.error);
  const detail = typeof json.detail === "string" ? json.detail : null;
  return { code, detail, json, raw, status: response.status };
}
