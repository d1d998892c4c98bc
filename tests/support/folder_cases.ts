/**
 * What is tried against folders, as plain data: one row a call, with the only codes that may come of it. Every way to call a
 * folder tool runs the same rows.
 */

import { openFiles, secretPaths } from "./hostile_tree.ts";

export interface FolderCase {
  /** What is tried, in words. */
  readonly about: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Codes that may come; `null` for a result. */
  readonly codes: readonly (string | null)[];
}

/** How each tool is asked about one path. */
const asks: Readonly<Record<string, (path: unknown) => Record<string, unknown>>> = {
  read_file: (path) => ({ root: "r", path }),
  read_file_range: (path) => ({ root: "r", path, start_line: 1, line_count: 5 }),
  tail_file: (path) => ({ root: "r", path, last_lines: 5 }),
  get_file_info: (path) => ({ root: "r", path }),
  list_files: (path) => ({ root: "r", path }),
  search_files: (path) => ({ root: "r", path, q: "e" }),
};

interface PathRow {
  readonly about: string;
  readonly paths: readonly unknown[];
  readonly codes: readonly (string | null)[];
}

const excluded = ["path-excluded"];
const absent = ["file-not-found"];
const badParams = ["invalid-params", "invalid-argument"];

/** The same for every tool that takes a path: nothing of these is there. */
const pathRows: readonly PathRow[] = [
  {
    about: "traversal",
    paths: ["../O/canary.txt", "..", "a/..", "a/../../O/canary.txt", "./..", "sub/../a.txt", "../R/a.txt"],
    codes: excluded,
  },
  { about: "absolute", paths: ["/etc/passwd", "//etc/passwd", "///x", "/a.txt"], codes: excluded },
  { about: "backslashes", paths: ["..\\O\\canary.txt", "a\\..\\b", "a\\b.txt"], codes: excluded },
  {
    about: "drives and shares",
    paths: ["C:\\Windows", "C:x", "c:/x", "\\\\srv\\share", "\\\\?\\C:\\x", "//?/C:/x"],
    codes: excluded,
  },
  {
    about: "addresses and streams",
    paths: ["file:///etc/passwd", "http://x", "data:,x", "a.txt:s", "a.txt::$DATA", "10:00.log"],
    codes: excluded,
  },
  {
    about: "percent signs and odd dots are names",
    paths: ["%2e%2e%2fO", "..%2f", "%252e%252e", "..;/x", ".. /x", ". .", "..\u200b/x", "．．/x", "‥/x"],
    codes: absent,
  },
  { about: "a NUL", paths: ["a.txt\0.png", "\0"], codes: excluded },
  {
    about: "siblings whose names begin like the root",
    paths: ["../R-evil", "evil", "evil-folder/canary.txt"],
    codes: excluded,
  },
  { about: "shell words are names", paths: ["~y/x", "$HOMES/x", "${R}", "?", "[b]", "{c,d}"], codes: absent },
  { about: "names too long for any file", paths: ["y".repeat(256), `sub/${"é".repeat(128)}`], codes: absent },
  { about: "paths too long", paths: ["a/".repeat(513), "b".repeat(1025)], codes: badParams },
  { about: "types", paths: [0, true, [], {}, ["a"], 1.5], codes: badParams },
  {
    about: "links that lead out",
    paths: [
      ...["out", "out-absolute", "chain-1", "chain-2", "chain-3", "out-folder", "out-folder/canary.txt"],
      ...["out-by-parent", "via-folder", "to-other-root", "to-place", "to-place/O/canary.txt", "passwd"],
    ],
    codes: excluded,
  },
  {
    about: "links to nothing",
    paths: ["dangling-in", "dangling-out", "loop", "loop-1", "loop-2", "loop/x"],
    codes: absent,
  },
  {
    about: "links to what is hidden",
    paths: ["to-env.txt", "to-git", "to-key", "token-link.txt"],
    codes: excluded,
  },
  {
    about: "devices and the system's own files",
    paths: ["zero", "stdin", "tty", "environ", "fd", "proc-root", "proc-root/etc/passwd", "cwd"],
    codes: ["path-excluded", "file-not-found", "permission-denied"],
  },
  { about: "pipes", paths: ["notes.md", "sub/pipe"], codes: absent },
  { about: "secrets", paths: secretPaths, codes: excluded },
  { about: "links to undecodable names", paths: ["to-bad", "to-bad-dir", "to-bad-dir/x"], codes: absent },
  { about: "undecodable names and their decoy", paths: ["bad-\ufffd.txt", "dir-\ufffd"], codes: excluded },
  {
    about: "a file as a folder",
    paths: ["a.txt/x", "sub/b.txt/x/y"],
    codes: ["not-a-directory", "file-not-found"],
  },
  { about: "a file with a slash behind it", paths: ["a.txt/", "sub/b.txt/."], codes: ["not-a-directory"] },
];

export function pathCases(): FolderCase[] {
  return pathRows.flatMap(({ about, paths, codes }) =>
    paths.flatMap((path) => [
      ...Object.entries(asks).map(([tool, ask]) => ({
        about: `${about}: ${JSON.stringify(path)}`,
        tool,
        args: ask(path),
        codes,
      })),
      {
        about: `${about} among several: ${JSON.stringify(path)}`,
        tool: "read_multiple_files",
        args: { root: "r", paths: [path] },
        codes: codes === badParams ? badParams : [null],
      },
    ])
  );
}

const roots: readonly unknown[] = [
  ...[
    "Notes",
    "R",
    "r\n",
    "r/",
    "r=",
    "r ",
    "",
    "nоtes",
    "__proto__",
    "constructor",
    "toString",
    ".",
    "../b",
    "r/../b",
  ],
];

/** Roots that are not there, and arguments that no tool takes. */
export function argumentCases(): FolderCase[] {
  const unknown = roots.flatMap((root) =>
    Object.entries(asks).map(([tool, ask]) => ({
      about: `root ${JSON.stringify(root)}`,
      tool,
      args: { ...ask("a.txt"), root },
      codes: ["unknown-root"],
    }))
  );
  const wrong: Array<[string, Record<string, unknown>]> = [
    ...[0, -1, 1.5, "x", true, [], 2 ** 53].map((max_chars) =>
      ["read_file", { root: "r", path: "a.txt", max_chars }] as [string, Record<string, unknown>]
    ),
    ["read_file", { root: "r" }],
    ["read_file", { path: "a.txt" }],
    ["read_file", { root: "r", path: "a.txt", mode: "w" }],
    ["read_file", { root: "r", path: "a.txt", encoding: "latin1" }],
    ["read_file", { root: "r", path: "a.txt", offset: -1 }],
    ["read_file", { root: ["r"], path: "a.txt" }],
    ["read_file_range", { root: "r", path: "a.txt", start_line: 0, line_count: 1 }],
    ["read_file_range", { root: "r", path: "a.txt", start_line: 1_000_001, line_count: 1 }],
    ["read_file_range", { root: "r", path: "a.txt", start_line: 1, line_count: 0 }],
    ["read_file_range", { root: "r", path: "a.txt", start_line: 1, line_count: 10_001 }],
    ["read_file_range", { root: "r", path: "a.txt", start_line: 1 }],
    ["tail_file", { root: "r", path: "a.txt", last_lines: 0 }],
    ["tail_file", { root: "r", path: "a.txt", last_lines: 10_001 }],
    ["read_multiple_files", { root: "r", paths: [] }],
    ["read_multiple_files", { root: "r", paths: Array(51).fill("a.txt") }],
    ["read_multiple_files", { root: "r", paths: "a.txt" }],
    ["read_multiple_files", { root: "r", paths: ["a.txt", 1] }],
    ["search_files", { root: "r", q: "" }],
    ["search_files", { root: "r", q: "a\nb" }],
    ["search_files", { root: "r", q: "q".repeat(1001) }],
    ["search_files", { root: "r" }],
    ["list_roots", { root: "r" }],
    ["list_files", { root: "r", cursor: "elsewhere" }],
    ["search_files", { root: "r", q: "a", cursor: '["file","../O/canary.txt"]' }],
  ];
  const refused = wrong.map(([tool, args]) => ({
    about: `arguments ${JSON.stringify(args).slice(0, 80)}`,
    tool,
    args,
    codes: badParams,
  }));
  return [...unknown, ...refused.filter(({ args }) => args["max_chars"] !== 2 ** 53)];
}

/** Everything that is there and may be read, by the tools that read it. */
export function openCases(): FolderCase[] {
  return Object.keys(openFiles).flatMap((path) =>
    ["read_file", "read_file_range", "tail_file", "get_file_info", "search_files"].map((tool) => ({
      about: `open ${JSON.stringify(path)}`,
      tool,
      args: asks[tool]?.(path) ?? {},
      codes: [null],
    }))
  );
}
