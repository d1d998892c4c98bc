/**
 * A folder that somebody prepared to get at what is outside of it or hidden in it: links, odd names, special files, secrets.
 *
 * Beside the root `r` lie a second root `b`, siblings whose names begin like the root's, and a folder `O` with the canary that
 * no answer may ever hold. Made with the system's own tools, since no API here can write names that are not UTF-8.
 */

import { canary } from "./folders.ts";

export interface HostileTree {
  /** Absolute; no answer may name it. */
  readonly place: string;
  readonly root: string;
  readonly other: string;
  readonly outside: string;
}

/** What stands in files that are hidden: as forbidden in answers as the canary. */
export const secretText = "SECRET-4b92d7";
/** What stands in every file that may be read. */
export const openText = "open text";

export const secretPaths = [
  ...[".env", ".ENV.d/x", ".Env.local", ".env.production", ".envrc", ".env. ", "sub/.env", ".env.d/x"],
  ...["Token.txt", "TOKENS.CSS", "secretary.md", "Credentials.json", "ID_RSA", "id_ed25519", "id_ecdsa_sk"],
  ...[".ssh/config", ".SSH/x", ".ssh/id_rsa.pub", "x.PEM", "x.Key", "x.p12", "x.kdbx", "backup.bak"],
  ...["db.sqlite3", "db.sqlite3-wal", "a.pem.txt", "project/.git/config", "a/node_modules/b/readme.md"],
  ...["A/.AWS/credentials", "runtime/settings.json", "sub/runtime/settings.json", "．env", ".\u200benv"],
];

/** Ordinary files, some of which only look as if they were not, each with the text that it holds. */
export const openFiles: Readonly<Record<string, string>> = Object.fromEntries([
  ...["a.txt", "sub/b.txt", "mytoken.txt", "app.log", "debug.LOG", "id_rsa.pub", "notes.backup.md", "CON"],
  ...[
    "nul.txt",
    "aux.txt",
    '"a.txt"',
    " a.txt",
    "a.txt ",
    "%2e%2e",
    "~",
    "*",
    "$HOME",
    "[a]",
    "{a,b}",
    "...",
    "-x",
  ],
  ...[
    "   ",
    "\u202egpj.exe",
    "tag\u{e0041}.txt",
    "<script>.html",
    "```.md",
    "[p.3].md",
    "a\nb.txt",
    "esc\u001b[2J",
  ],
  ...[
    "line\u2028.txt",
    "Bildschirmfoto\u202f10.05.png.txt",
    "caf\u00e9.txt",
    "cafe\u0301.txt",
    "only-e\u0301.txt",
  ],
  ...["漢".repeat(85), "x".repeat(255), "deep/1/2/3/4/5/6/7/8/end.txt", "a]!b.md", "tab\tbell\u0007.txt"],
].map((path) => [path, `${openText} of ${path}`]));

export async function withHostileTree<T>(work: (tree: HostileTree) => Promise<T>): Promise<T> {
  const place = await Deno.realPath(await Deno.makeTempDir({ prefix: "silverbridge-hostile-" }));
  const tree = { place, root: `${place}/R`, other: `${place}/B`, outside: `${place}/O` };
  try {
    await plant(tree);
    return await work(tree);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

async function plant({ place, root, other, outside }: HostileTree): Promise<void> {
  for (const folder of [root, other, outside, `${place}/R-evil`, `${place}/R `, `${place}/R"`]) {
    await Deno.mkdir(folder);
  }
  for (const folder of [outside, `${place}/R-evil`, `${place}/R `, `${place}/R"`]) {
    await put(`${folder}/canary.txt`, canary);
  }
  await put(`${other}/b.txt`, "in the other root");
  for (const path of secretPaths) await put(`${root}/${path}`, secretText);
  for (const [path, text] of Object.entries(openFiles)) await put(`${root}/${path}`, text);
  await plantLinks({ place, root, other, outside });
  await run(root, `mkfifo notes.md; mkfifo sub/pipe`);
  await run(root, `printf '%s' '${secretText}' > "$(printf 'bad-\\377.txt')"; mkdir "$(printf 'dir-\\377')"`);
  await run(root, `ln -s "$(printf 'bad-\\377.txt')" to-bad; ln -s "$(printf 'dir-\\377')" to-bad-dir`);
  await put(`${root}/bad-\ufffd.txt`, secretText);
  await put(`${root}/a\\b.txt`, secretText);
  await put(`${root}/10:00.log`, secretText);
}

async function plantLinks({ place, root, other, outside }: HostileTree): Promise<void> {
  const links: Record<string, string> = {
    out: "../O/canary.txt",
    "out-absolute": `${outside}/canary.txt`,
    "chain-1": "chain-2",
    "chain-2": "chain-3",
    "chain-3": "out",
    "out-folder": outside,
    "out-by-parent": "sub/../../O/canary.txt",
    "via-folder": "out-folder/canary.txt",
    evil: "../R-evil/canary.txt",
    "evil-folder": `${place}/R-evil`,
    "to-other-root": `${other}/b.txt`,
    "to-place": "..",
    "dangling-out": `${outside}/nothing-here.txt`,
    "dangling-in": "nothing-here.txt",
    loop: "loop",
    "loop-1": "loop-2",
    "loop-2": "loop-1",
    "in-file": "sub/b.txt",
    "in-folder": "sub",
    "to-env.txt": ".env",
    "to-git": "project/.git/config",
    "to-key": "ID_RSA",
    "token-link.txt": "a.txt",
    zero: "/dev/zero",
    stdin: "/dev/stdin",
    tty: "/dev/tty",
    environ: "/proc/self/environ",
    fd: "/proc/self/fd/0",
    "proc-root": "/proc/self/root",
    cwd: "/proc/self/cwd",
    passwd: "/etc/passwd",
  };
  for (const [name, target] of Object.entries(links)) await Deno.symlink(target, `${root}/${name}`);
}

async function put(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(path, text);
}

export async function run(cwd: string, script: string): Promise<void> {
  const { success } = await new Deno.Command("sh", { args: ["-c", script], cwd, env: { LC_ALL: "C" } })
    .output();
  if (!success) throw new Error(`Could not run ${script}`);
}
