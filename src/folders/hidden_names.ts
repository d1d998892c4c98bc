/**
 * Names that are never listed, read or searched: credentials, keys, databases, caches. All of them folded already.
 *
 * The list of personal-mcp-bridge and what is of the same kind. A safety net and no guarantee: nothing here knows what a
 * secret looks like. `.log` files are readable, since reading the end of a log is what people want.
 */

/** Hidden at any depth, as a file or as a folder with all that is in it. */
export const names: ReadonlySet<string> = new Set([
  ...[
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".yarnrc.yml",
    ".htpasswd",
  ],
  ...[".pgpass", ".my.cnf", ".dockercfg", ".dockerconfigjson", ".boto", ".s3cfg", ".vault-token"],
  ...["kubeconfig", "service-account.json", "auth.json", "shadow", "shadow-", "passwd-", "wallet.dat"],
  ...[".bash_history", ".zsh_history", ".python_history", ".lesshst", ".psql_history", ".node_repl_history"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"],
  ...[".git", ".hg", ".svn", ".ssh", ".aws", ".azure", ".kube", ".docker", ".gnupg", ".gcloud"],
  ...[".venv", "venv", ".tox", ".nox", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache"],
  ...[
    ".ruff_cache",
    ".cache",
    ".npm",
    ".yarn",
    ".pnpm-store",
    ".gradle",
    ".terraform",
    ".next",
    ".nuxt",
    ".idea",
  ],
]);

/** Ordinary words that somebody's notes may use too: the operator can let them be seen, and nothing else. */
export const generatedNames: ReadonlySet<string> = new Set([
  ...["dist", "build", "out", "target", "coverage", "env", ".vscode"],
]);

/** Blunt on purpose: a harmless `tokens.css` is hidden rather than a token shown. */
export const prefixes: readonly string[] = [".env.", ".env~", "token", "secret", "credential"];

/** Endings of whole names, such as `work_rsa`; `work_rsa.pub` is public. */
export const endings: readonly string[] = ["_rsa", "_dsa", "_ecdsa", "_ed25519"];

/** Private keys whose names begin so, but for their public halves. */
export const keyNames = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?[.~-](?!pub$)/;

/** Hidden below a folder of that name: `runtime/settings.json` at any depth. */
export const pairs: ReadonlySet<string> = new Set(["runtime/settings.json", ".config/gcloud"]);

/** Key material: hidden wherever the extension stands, so that `server.key.txt` is too. */
export const keyExtensions: ReadonlySet<string> = new Set([
  ...[
    "pem",
    "key",
    "crt",
    "p12",
    "pfx",
    "jks",
    "keystore",
    "kdbx",
    "kdb",
    "p8",
    "der",
    "csr",
    "ppk",
    "asc",
    "gpg",
  ],
  ...["pkcs12", "ovpn", "tfstate", "tfvars", "agilekeychain", "opvault"],
]);

/** Databases, backups and what editors leave behind: hidden as the last extension. */
export const lastExtensions: ReadonlySet<string> = new Set([
  ...["db", "sqlite", "sqlite3", "bak", "backup", "mdb", "ldb", "rdb", "swp", "swo"],
  ...["db-wal", "db-shm", "db-journal", "sqlite-wal", "sqlite-shm", "sqlite-journal"],
  ...["sqlite3-wal", "sqlite3-shm", "sqlite3-journal"],
]);
