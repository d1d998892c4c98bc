/** Every setting of today with a value that is not its default, and where that value must arrive. Pinned by literals. */

import type { Config } from "../../src/config/config.ts";

export interface SettingCase {
  readonly name: string;
  readonly text: string;
  readonly reads: (config: Config) => unknown;
  readonly value: unknown;
  /** Absent: given as a plain value everywhere. */
  readonly secret?: true;
  readonly isSwitch?: true;
}

/** What the cases need around them: files that they name, and ways in that let a value arrive. */
export const settingFiles: Readonly<Record<string, string>> = {
  "/srv/ca.pem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
  "/srv/space/index.md": "",
};

export const settingCases: readonly SettingCase[] = [
  {
    name: "SILVERBULLET_URL",
    text: "https://notes.example.com/wiki/",
    reads: (c) => c.silverbullet?.url,
    value: "https://notes.example.com/wiki",
  },
  {
    name: "SILVERBULLET_TOKEN",
    text: "upstream-secret",
    reads: (c) => c.silverbullet?.token,
    value: "upstream-secret",
    secret: true,
  },
  {
    name: "SILVERBULLET_PUBLIC_URL",
    text: "https://wiki.example.com",
    reads: (c) => c.silverbullet?.publicUrl,
    value: "https://wiki.example.com",
  },
  {
    name: "SILVERBULLET_CA_FILE",
    text: "/srv/ca.pem",
    reads: (c) => c.silverbullet?.caPem?.split("\n")[1],
    value: "MIIB",
  },
  { name: "SPACE_PATH", text: "/srv/space", reads: (c) => c.silverbullet?.spacePath, value: "/srv/space" },
  {
    name: "POLL_SECONDS",
    text: "7/90",
    reads: (c) => c.silverbullet?.pollSeconds,
    value: { inUse: 7, idle: 90 },
  },
  {
    name: "ROOTS",
    text: "docs=/srv/docs;more=/srv/more",
    reads: (c) => c.roots.map((r) => `${r.alias}:${r.path}:${r.index}`),
    value: ["docs:/srv/docs:true", "more:/srv/more:true"],
  },
  { name: "EXCLUDE", text: "*.tmp, drafts", reads: (c) => c.exclude, value: ["*.tmp", "drafts"] },
  {
    name: "ALLOW_GENERATED_NAMES",
    text: "on",
    reads: (c) => c.allowGeneratedNames,
    value: true,
    isSwitch: true,
  },
  { name: "REFUSE_HARD_LINKS", text: "on", reads: (c) => c.refuseHardLinks, value: true, isSwitch: true },
  { name: "HOST", text: "::1", reads: (c) => c.host, value: "::1" },
  { name: "PORT", text: "9001", reads: (c) => c.port, value: 9001 },
  {
    name: "PUBLIC_URL",
    text: "https://mcp.example.com/",
    reads: (c) => c.publicUrl,
    value: "https://mcp.example.com",
  },
  {
    name: "ALLOWED_HOSTS",
    text: "a.example, B.example:8000",
    reads: (c) => c.allowedHosts.filter((h) => h.endsWith("example")),
    value: ["a.example", "b.example"],
  },
  {
    name: "ALLOWED_ORIGINS",
    text: "https://app.example.com",
    reads: (c) => c.allowedOrigins.includes("https://app.example.com"),
    value: true,
  },
  {
    name: "TRUSTED_PROXIES",
    text: "10.0.0.1, 192.168.0.0/16",
    reads: (c) => c.trustedProxies,
    value: ["10.0.0.1", "192.168.0.0/16"],
  },
  { name: "PUBLIC_MODE", text: "on", reads: (c) => c.publicMode, value: true, isSwitch: true },
  { name: "AUTH", text: "token,oauth", reads: (c) => c.auth, value: ["oauth", "token"] },
  {
    name: "TOKEN",
    text: "another-token-of-the-kind-that-is-long-enough",
    reads: (c) => c.tokens[0]?.hash,
    value: "2b1450069e4944306e2c51fac0e660ac16d3bdb43169f5f3d6e5583d66a9fd4e",
    secret: true,
  },
  {
    name: "OWNER_SECRET",
    text: "correct horse battery",
    reads: (c) => c.oauth?.ownerSecret,
    value: "correct horse battery",
    secret: true,
  },
  { name: "OAUTH_CLIENT_ID", text: "claude-1", reads: (c) => c.oauth?.clientId, value: "claude-1" },
  {
    name: "OAUTH_CLIENT_SECRET",
    text: "client-secret",
    reads: (c) => c.oauth?.clientSecret,
    value: "client-secret",
    secret: true,
  },
  {
    name: "OAUTH_REDIRECT_URIS",
    text: "https://app.example.com/cb,http://127.0.0.1:9/cb,cursor://x/cb",
    reads: (c) => c.oauth?.redirectUris,
    value: ["https://app.example.com/cb", "http://127.0.0.1:9/cb", "cursor://x/cb"],
  },
  { name: "REGISTRATION", text: "off", reads: (c) => c.oauth?.registration, value: false, isSwitch: true },
  {
    name: "CLIENT_DOCUMENTS",
    text: "off",
    reads: (c) => c.oauth?.clientDocuments,
    value: false,
    isSwitch: true,
  },
  { name: "UNKNOWN_REDIRECTS", text: "refuse", reads: (c) => c.oauth?.unknownRedirects, value: "refuse" },
  { name: "ACCESS_TOKEN_HOURS", text: "2d", reads: (c) => c.oauth?.accessTokenHours, value: 48 },
  { name: "REFRESH_TOKEN_DAYS", text: "30", reads: (c) => c.oauth?.refreshTokenDays, value: 30 },
  { name: "GRANT_MAX_DAYS", text: "100 d", reads: (c) => c.oauth?.grantMaxDays, value: 100 },
  {
    name: "JWT_ISSUER",
    text: "https://idp.example.com/",
    reads: (c) => c.jwt?.issuer,
    value: "https://idp.example.com/",
  },
  { name: "JWT_AUDIENCE", text: "one,two", reads: (c) => c.jwt?.audience, value: ["one", "two"] },
  {
    name: "JWT_JWKS_URL",
    text: "https://idp.example.com/keys",
    reads: (c) => c.jwt?.jwksUrl,
    value: "https://idp.example.com/keys",
  },
  {
    name: "JWT_ALGORITHMS",
    text: "ES256, EdDSA",
    reads: (c) => c.jwt?.algorithms,
    value: ["ES256", "EdDSA"],
  },
  { name: "JWT_LEEWAY_SECONDS", text: "60", reads: (c) => c.jwt?.leewaySeconds, value: 60 },
  {
    name: "JWT_HEADER",
    text: "Cf-Access-Jwt-Assertion",
    reads: (c) => c.jwt?.header,
    value: "cf-access-jwt-assertion",
  },
  {
    name: "STATE_DIR",
    text: "/var/lib/bridge/state",
    reads: (c) => c.state.dir,
    value: "/var/lib/bridge/state",
  },
  { name: "STATE_KEY", text: "sealing-key", reads: (c) => c.state.key, value: "sealing-key", secret: true },
  { name: "STATE_MAX_BYTES", text: "2 GiB", reads: (c) => c.state.maxBytes, value: 2147483648 },
  { name: "PROFILE", text: "full", reads: (c) => c.profile, value: "full" },
  { name: "READ_ONLY", text: "on", reads: (c) => c.readOnly, value: true, isSwitch: true },
  {
    name: "WRITE_PATHS",
    text: "Projects/**,Journal/*",
    reads: (c) => c.writePaths,
    value: ["Projects/**", "Journal/*"],
  },
  { name: "READ_PATHS", text: "Projects/**", reads: (c) => c.readPaths, value: ["Projects/**"] },
  { name: "HIDDEN_PATHS", text: "Private/**", reads: (c) => c.hiddenPaths, value: ["Private/**"] },
  { name: "PROTECTED_CONTENT", text: "on", reads: (c) => c.protectedContent, value: true, isSwitch: true },
  { name: "TRASH", text: "off", reads: (c) => c.trash, value: "off" },
  { name: "TRASH_DAYS", text: "10", reads: (c) => c.trashDays, value: 10 },
  { name: "HISTORY_DAYS", text: "365", reads: (c) => c.historyDays, value: 365 },
  { name: "HISTORY_BYTES", text: "1 GiB", reads: (c) => c.historyBytes, value: 1073741824 },
  { name: "BLIND_WRITES", text: "on", reads: (c) => c.blindWrites, value: true, isSwitch: true },
  {
    name: "CHANGES_PER_HOUR",
    text: "50/5",
    reads: (c) => c.changesPerHour,
    value: { changed: 50, deleted: 5, explicit: true },
  },
  { name: "ERROR_STYLE", text: "content", reads: (c) => c.errorStyle, value: "content" },
  { name: "INSTRUCTIONS", text: "page:House rules", reads: (c) => c.instructions, value: "page:House rules" },
  {
    name: "RATE_LIMIT_PER_MINUTE",
    text: "90",
    reads: (c) => [c.rateLimitPerMinute, c.configuredRateLimitPerMinute],
    value: [90, 90],
  },
  { name: "MAX_BODY_BYTES", text: "8 MiB", reads: (c) => c.maxBodyBytes, value: 8388608 },
  { name: "MAX_PAGE_BYTES", text: "512 KiB", reads: (c) => c.maxPageBytes, value: 524288 },
  { name: "READ_MAX_CHARS", text: "1000", reads: (c) => c.folderLimits.readMaxChars, value: 1000 },
  {
    name: "SEARCH_MAX_FILE_BYTES",
    text: "2MiB",
    reads: (c) => c.folderLimits.searchMaxFileBytes,
    value: 2097152,
  },
  { name: "MAX_MATCHES", text: "20", reads: (c) => c.folderLimits.maxMatches, value: 20 },
  { name: "LIST_MAX_ENTRIES", text: "30", reads: (c) => c.folderLimits.listMaxEntries, value: 30 },
  {
    name: "DOC_MAX_FILE_BYTES",
    text: "1000",
    reads: (c) => c.folderLimits.documents["doc_max_file_bytes"],
    value: 1000,
  },
  {
    name: "DOC_MAX_ARCHIVE_MEMBERS",
    text: "11",
    reads: (c) => c.folderLimits.documents["doc_max_archive_members"],
    value: 11,
  },
  {
    name: "DOC_MAX_UNCOMPRESSED_BYTES",
    text: "1 GB",
    reads: (c) => c.folderLimits.documents["doc_max_uncompressed_bytes"],
    value: 1000000000,
  },
  {
    name: "DOC_MAX_MEMBER_BYTES",
    text: "2048",
    reads: (c) => c.folderLimits.documents["doc_max_member_bytes"],
    value: 2048,
  },
  {
    name: "DOC_MAX_COMPRESSION_RATIO",
    text: "12",
    reads: (c) => c.folderLimits.documents["doc_max_compression_ratio"],
    value: 12,
  },
  {
    name: "XLSX_MAX_SHEETS",
    text: "13",
    reads: (c) => c.folderLimits.documents["xlsx_max_sheets"],
    value: 13,
  },
  { name: "XLSX_MAX_ROWS", text: "14", reads: (c) => c.folderLimits.documents["xlsx_max_rows"], value: 14 },
  { name: "XLSX_MAX_COLS", text: "15", reads: (c) => c.folderLimits.documents["xlsx_max_cols"], value: 15 },
  { name: "LOG_LEVEL", text: "warn", reads: (c) => c.logLevel, value: "warn" },
  { name: "LOG_FORMAT", text: "text", reads: (c) => c.logFormat, value: "text" },
];
