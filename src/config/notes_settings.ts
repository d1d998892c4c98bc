/** Cross rules about SilverBullet and what may be done with its pages. */

import type { Config, SilverBulletSetting } from "./config.ts";
import { tokenIsOld } from "./auth.ts";
import { type Context, named } from "./context.ts";
import { breadthOf, canonicalFolder } from "./folders.ts";
import { isLoopbackHost } from "./kinds_network.ts";
import { oldDefaults } from "./programs.ts";
import { variableOf } from "./options.ts";
import { readSettingFile } from "./secret_file.ts";

const maxCertificateBytes = 1024 ** 2;
const maxInstructionsBytes = 64 * 1024;

/** `null` where no SilverBullet is configured. */
export function settleSilverBullet(context: Context): SilverBulletSetting | null {
  const { values, report } = context;
  const url = values.SILVERBULLET_URL ?? oldDefaults(context.programs).silverbulletUrl;
  if (url === null) {
    for (const option of ["SILVERBULLET_TOKEN", "SILVERBULLET_CA_FILE", "SPACE_PATH"] as const) {
      if (values[option] === null || context.given.has("SILVERBULLET_URL")) continue;
      report.warn(
        "unused_setting",
        `${named(context, option)} has no effect without ${variableOf("SILVERBULLET_URL")}`,
      );
    }
    return null;
  }
  const [inUse, idle] = values.POLL_SECONDS;
  const token = upstreamToken(context);
  checkTransport(context, { url, token });
  return {
    ...{ url, token, publicUrl: values.SILVERBULLET_PUBLIC_URL ?? url },
    caPem: readCertificate(context),
    spacePath: settleSpace(context),
    pollSeconds: { inUse, idle: Math.max(idle, inUse) },
  };
}

/** mcp-silverbullet used its one token in both directions unless the other was set, if only to nothing. */
function upstreamToken(context: Context): string | null {
  const { values, emptied } = context;
  if (values.SILVERBULLET_TOKEN !== null || !tokenIsOld(context)) return values.SILVERBULLET_TOKEN;
  const saysNone = [variableOf("SILVERBULLET_TOKEN"), "MCP_SILVERBULLET_SB_TOKEN"].some((name) =>
    emptied.has(name)
  );
  return saysNone ? null : values.TOKEN;
}

function checkTransport(
  context: Context,
  { url, token }: { readonly url: string; readonly token: string | null },
): void {
  const { protocol, hostname } = new URL(url);
  const near = isLoopbackHost(hostname) || /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname) ||
    /^\[f[cde]/.test(hostname) || !hostname.includes(".") ||
    /\.(local|lan|internal|home\.arpa)$/.test(hostname);
  if (protocol === "https:" || near || token === null) return;
  const name = named(context, "SILVERBULLET_URL");
  context.report.warn(
    "token_over_http",
    `${name} is no https address: the token and every page cross the network in the clear`,
  );
}

function readCertificate(context: Context): string | null {
  const path = context.values.SILVERBULLET_CA_FILE;
  if (path === null) return null;
  const { source, report } = context;
  const name = named(context, "SILVERBULLET_CA_FILE");
  const pem = readSettingFile({ name, path, maxBytes: maxCertificateBytes }, { source, report });
  if (pem === null) return null;
  if (!pem.includes("-----BEGIN CERTIFICATE-----") || pem.includes("PRIVATE KEY-----")) {
    const mend = "Name a PEM file that holds the authority's certificate and nothing else";
    report.problem(name, `${name} names a file that is no certificate, or holds a private key`, mend);
    return null;
  }
  return pem;
}

function settleSpace(context: Context): string | null {
  const path = context.values.SPACE_PATH;
  const name = named(context, "SPACE_PATH");
  if (path === null) return null;
  // mcp-silverbullet started without the folder too, and only lost what needed it.
  const tolerant = context.given.get("SPACE_PATH")?.alias !== null;
  if (tolerant) {
    const real = context.source.realPath(path);
    if (typeof real === "string" || typeof context.source.listFolder(real.path) === "string") {
      context.report.warn(
        "space_path",
        `${name} names no folder that can be read; pages are read through SilverBullet alone`,
      );
      return null;
    }
  }
  const folder = canonicalFolder(path, { context, name });
  if (folder === null || breadthOf(folder, context.home) !== "system") return folder;
  context.report.problem(
    name,
    `${name} is / or a view of the running system`,
    "Name the folder of the space",
  );
  return null;
}

export type Editing = Pick<
  Config,
  "trash" | "changesPerHour" | "instructions" | "readPaths" | "writePaths" | "hiddenPaths"
>;

export function settleEditing(context: Context, keepsHistory: boolean): Editing {
  const { values, report } = context;
  const sole = context.programs.sole;
  let trash = values.TRASH ?? (sole === "silverbullet-mcp-server" ? "space" : "history");
  if (trash === "history" && !keepsHistory) {
    if (values.TRASH !== null) {
      report.warn(
        "trash_in_space",
        `${named(context, "TRASH")} needs a state folder: deleted pages go to _trash in the space`,
      );
    }
    trash = "space";
  }
  const [changed, deleted] = values.CHANGES_PER_HOUR ?? [200, 30];
  const isOff = context.given.has("CHANGES_PER_HOUR") && values.CHANGES_PER_HOUR === null;
  return {
    trash,
    changesPerHour: isOff ? null : { changed, deleted, explicit: context.given.has("CHANGES_PER_HOUR") },
    instructions: readInstructions(context),
    readPaths: values.READ_PATHS,
    writePaths: values.WRITE_PATHS,
    hiddenPaths: values.HIDDEN_PATHS,
  };
}

function readInstructions(context: Context): string | null {
  const given = context.values.INSTRUCTIONS;
  if (given === null || given.from === "text") return given?.text ?? null;
  if (given.from === "page") return `page:${given.text}`;
  const name = named(context, "INSTRUCTIONS");
  const text = readSettingFile({ name, path: given.text, maxBytes: maxInstructionsBytes }, context);
  // Text that happens to begin like the form that names a page must stay text.
  return text?.startsWith("page:") ? `\n${text}` : text;
}
