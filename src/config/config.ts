/**
 * The settings once parsed, checked and frozen: what `load()` answers and every composition takes.
 *
 * Plain data that survives `structuredClone`, so that the launcher can post it to the server worker. Only
 * `app.ts`, `cli/` and `launch/` import this; modules take small options objects of their own.
 */

import type { LogLevel } from "../core/log.ts";
import type { Profile } from "../core/principal.ts";
import type { VerbGlobs } from "../core/rights.ts";

export type AuthWay = "oauth" | "token" | "jwt";

export interface RootSetting {
  readonly alias: string;
  /** Canonical absolute path. */
  readonly path: string;
  readonly index: boolean;
  readonly exclude: readonly string[];
}

/** One static token. Only its hash is kept. */
export interface TokenSetting {
  readonly name: string;
  /** SHA-256 of the token, lower-case hex. */
  readonly hash: string;
  /** `null`: everything within the ceiling. */
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
  readonly profile: Profile | null;
  readonly silverbulletToken: string | null;
}

export interface ClientSetting {
  readonly name: string;
  readonly match: { readonly client: string | null; readonly redirectHost: string | null };
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
  readonly profile: Profile | null;
  readonly silverbulletToken: string | null;
}

export interface ClaimSetting {
  readonly when: Readonly<Record<string, string>>;
  readonly rights: VerbGlobs;
  readonly roots: readonly string[] | "all";
}

export interface SilverBulletSetting {
  /** Absolute, without a trailing slash; may carry a path prefix. */
  readonly url: string;
  readonly token: string | null;
  /** Where people open pages. */
  readonly publicUrl: string;
  /** PEM text of a private certificate authority. */
  readonly caPem: string | null;
  /** Canonical folder of the space on this machine. */
  readonly spacePath: string | null;
  readonly pollSeconds: { readonly inUse: number; readonly idle: number };
}

export interface JwtSetting {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly jwksUrl: string;
  readonly algorithms: readonly string[];
  readonly leewaySeconds: number;
  readonly header: string;
  readonly claims: readonly ClaimSetting[];
}

export interface OauthSetting {
  /** The passphrase as typed, or `scrypt$…`. */
  readonly ownerSecret: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly redirectUris: readonly string[];
  readonly registration: boolean;
  readonly clientDocuments: boolean;
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  readonly accessTokenHours: number;
  readonly refreshTokenDays: number;
  readonly grantMaxDays: number;
  /** SHA-256 of silverbullet-mcp-server's signing key: when it changes, every grant is revoked once. */
  readonly revocationMark: string | null;
}

export interface StateSetting {
  /** Absolute folder, or `null` where there is none to write to (then no history; said at start). */
  readonly dir: string | null;
  readonly key: string | null;
  readonly maxBytes: number;
}

/** The limits of personal-mcp-bridge, under their names without prefix (predecessors/personal-mcp-bridge.txt). */
export interface FolderLimits {
  readonly readMaxChars: number;
  readonly searchMaxFileBytes: number;
  readonly maxMatches: number;
  readonly listMaxEntries: number;
  /** `DOC_*` and `XLSX_*` by canonical name in lower case, such as `doc_max_bytes`. */
  readonly documents: Readonly<Record<string, number | boolean | string>>;
}

export interface Config {
  readonly silverbullet: SilverBulletSetting | null;
  readonly roots: readonly RootSetting[];
  readonly exclude: readonly string[];
  readonly allowGeneratedNames: boolean;
  readonly refuseHardLinks: boolean;
  readonly folderLimits: FolderLimits;

  readonly host: string;
  readonly port: number;
  /** Origin that clients reach, without a trailing slash. */
  readonly publicUrl: string;
  /** Host names without port, in lower case; IPv6 in brackets. */
  readonly allowedHosts: readonly string[];
  /**
   * A `Host` that is an IP address is accepted besides. Set for a server on the local network: what rebinding needs
   * is a name, and a request for an address carries none.
   */
  readonly anyIpHost: boolean;
  readonly allowedOrigins: readonly string[];
  /** Origins that `/mcp` accepts besides. */
  readonly mcpOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly publicMode: boolean;
  readonly allowQueryToken: boolean;
  /** What counts; 0 means none. */
  readonly rateLimitPerMinute: number;
  /** What the operator wrote, 0 where nothing was. */
  readonly configuredRateLimitPerMinute: number;
  readonly maxBodyBytes: number;

  /** Empty means that none is asked for: loopback only. */
  readonly auth: readonly AuthWay[];
  readonly tokens: readonly TokenSetting[];
  readonly clients: readonly ClientSetting[];
  readonly oauth: OauthSetting | null;
  readonly jwt: JwtSetting | null;
  readonly state: StateSetting;

  readonly profile: Profile;
  readonly readOnly: boolean;
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly hiddenPaths: readonly string[];
  readonly protectedContent: boolean;
  readonly trash: "history" | "space" | "off";
  readonly trashDays: number;
  readonly historyDays: number;
  readonly historyBytes: number;
  readonly blindWrites: boolean;
  /** `null`: off. `explicit` values bind every caller but stdio. */
  readonly changesPerHour:
    | { readonly changed: number; readonly deleted: number; readonly explicit: boolean }
    | null;
  readonly errorStyle: "flag" | "content" | "auto";
  /** Text, or `page:Name`; files are read by `load()`. */
  readonly instructions: string | null;
  readonly maxPageBytes: number;
  /** K's old switch: `list_pages` rows carry partial etags. */
  readonly listEtags: boolean;

  readonly logLevel: LogLevel;
  readonly logFormat: "json" | "text";
}
