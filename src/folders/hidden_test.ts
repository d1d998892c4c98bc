import assert from "node:assert/strict";
import { createHidden, fold } from "./hidden.ts";

const hides = createHidden({ exclude: [], allowGeneratedNames: false });
const path = (text: string) => text.split("/");

Deno.test("secrets, keys, stores and caches are hidden in every spelling and at every depth", () => {
  const hidden = [
    ...[
      ".env",
      ".ENV",
      ".Env.local",
      ".env.production",
      ".envrc",
      ".env.",
      ".env ",
      ".env~",
      " .env",
      ".env/x",
    ],
    ...["．env", "\u200b.env", ".e\u200bnv", ".e\u0301nv", ".ENV::$DATA", "a/b/.env"],
    ...["Token.txt", "TOKENS.CSS", "secretary.md", "Credentials.json", "ｔｏｋｅｎ.txt"],
    ...[
      "ID_RSA",
      "id_ed25519",
      "id_ecdsa_sk",
      "id_rsa.old",
      "id_rsa~",
      "#id_rsa#",
      "work_rsa",
      ".ssh/config",
    ],
    ...[".SSH/x", ".ssh./id_rsa.pub", ".ssh/id_rsa.pub"],
    ...["x.PEM", "x.Key", "x.p12", "x.kdbx", "backup.bak", "db.sqlite3", "db.sqlite3-wal", "a.pem.txt"],
    ...["server.key.txt", "server.key~", "x.tfstate", "x.db", ".vim.swp"],
    ...["project/.git/config", "a/node_modules/b/readme.md", "A/.AWS/credentials", "runtime/settings.json"],
    ...[
      "x/Runtime/Settings.json",
      ".config/gcloud/a",
      "venv/x",
      "__pycache__/x",
      "K\u212aube/.\u212aube/config",
    ],
    ...["kubeconfig", ".npmrc", ".htpasswd", "auth.json", ".bash_history", "build/x", "a/dist"],
  ];
  for (const each of hidden) assert.equal(hides(path(each)), true, each);
});

Deno.test("ordinary names are seen, among them some that only look like secrets", () => {
  const seen = [
    ...["app.log", "debug.LOG", "mytoken.txt", "id_rsa.pub", "known_hosts", "notes.backup.md", "prod.env"],
    ...[
      "CON",
      "nul.txt",
      "aux.txt",
      "keys.md",
      "monkey",
      "a.md",
      "environment",
      "git",
      "database",
      "settings.json",
    ],
    ...["2026.db.md", "...", "x", "Kalender"],
  ];
  for (const each of seen) assert.equal(hides(path(each)), false, each);
});

Deno.test("a letter of another alphabet that looks alike is a known miss", () => {
  assert.equal(hides([".\u0435nv"]), false);
});

Deno.test("the operator adds names, folded like all others, and can show generated ones, never secrets", () => {
  const own = createHidden({ exclude: ["*.Tmp", "drafts", "*prod.env"], allowGeneratedNames: true });
  for (const each of ["a.TMP", "Drafts/x", "ａ.tmp", "prod.env", "node_modules/x", ".env"]) {
    assert.equal(own(path(each)), true, each);
  }
  for (const each of ["build/x", "dist", "target", "env/x"]) assert.equal(own(path(each)), false, each);
});

Deno.test("fold() leaves plain names as they are and ends what file systems would drop", () => {
  assert.equal(fold("readme.md"), "readme.md");
  assert.equal(fold("README.md. . "), "readme.md");
  assert.equal(fold("f.txt:s"), "f.txt");
  assert.equal(fold("İ"), "i");
  assert.equal(fold("Straße"), "straße");
});
