/** Puts the settings together: cross rules in the order in which they depend on each other. */

import { settleAuth } from "./auth.ts";
import type { Config } from "./config.ts";
import { type Context, named } from "./context.ts";
import { settleRoots } from "./folders.ts";
import { settleBodyLimit, settleNetwork } from "./network.ts";
import { settleEditing, settleSilverBullet } from "./notes_settings.ts";
import { type OptionName, variableOf } from "./options.ts";
import { settleState } from "./state_folder.ts";

/** Applies the cross rules; what they find goes to the report, and the answer only counts where nothing was. */
export function settle(context: Context): Config {
  const { values } = context;
  const silverbullet = settleSilverBullet(context);
  const network = settleNetwork(context);
  const withNotes = silverbullet !== null;
  const wantsNotes = withNotes || context.attempted.has("SILVERBULLET_URL");
  const spacePath = silverbullet?.spacePath ?? null;
  const auth = settleAuth(context, { network, wantsNotes, upstreamToken: silverbullet?.token ?? null });
  // Folders alone on loopback, open to whoever is there, leave nothing to remember.
  const state = settleState(context, { needed: withNotes || auth.auth.length > 0, spacePath });
  const roots = settleRoots(context, { stateDir: state.dir, spacePath, pageRules: hasPageRules(context) });
  if (!wantsNotes && !context.attempted.has("ROOTS")) reportNothingToServe(context);
  const { host, port, publicUrl, allowedHosts, anyIpHost, allowedOrigins, mcpOrigins, publicMode } = network;
  return {
    ...{ silverbullet, roots },
    exclude: values.EXCLUDE,
    allowGeneratedNames: values.ALLOW_GENERATED_NAMES,
    refuseHardLinks: values.REFUSE_HARD_LINKS,
    folderLimits: {
      readMaxChars: values.READ_MAX_CHARS,
      searchMaxFileBytes: values.SEARCH_MAX_FILE_BYTES,
      maxMatches: values.MAX_MATCHES,
      listMaxEntries: values.LIST_MAX_ENTRIES,
      documents: {
        doc_max_file_bytes: values.DOC_MAX_FILE_BYTES,
        doc_max_archive_members: values.DOC_MAX_ARCHIVE_MEMBERS,
        doc_max_uncompressed_bytes: values.DOC_MAX_UNCOMPRESSED_BYTES,
        doc_max_member_bytes: values.DOC_MAX_MEMBER_BYTES,
        doc_max_compression_ratio: values.DOC_MAX_COMPRESSION_RATIO,
        xlsx_max_sheets: values.XLSX_MAX_SHEETS,
        xlsx_max_rows: values.XLSX_MAX_ROWS,
        xlsx_max_cols: values.XLSX_MAX_COLS,
      },
    },
    ...{ host, port, publicUrl, allowedHosts, anyIpHost, allowedOrigins, mcpOrigins, publicMode },
    trustedProxies: network.trustedProxies,
    allowQueryToken: network.allowQueryToken,
    rateLimitPerMinute: network.rateLimitPerMinute,
    configuredRateLimitPerMinute: network.configuredRateLimitPerMinute,
    maxBodyBytes: settleBodyLimit(context, withNotes),
    ...auth,
    state,
    profile: values.PROFILE,
    readOnly: values.READ_ONLY,
    protectedContent: values.PROTECTED_CONTENT,
    ...settleEditing(context, state.dir !== null || !withNotes),
    trashDays: values.TRASH_DAYS,
    historyDays: values.HISTORY_DAYS,
    historyBytes: values.HISTORY_BYTES,
    blindWrites: values.BLIND_WRITES,
    errorStyle: values.ERROR_STYLE,
    maxPageBytes: values.MAX_PAGE_BYTES,
    listEtags: values.LIST_PAGES_HYDRATE_ETAGS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? defaultLogFormat(context),
  };
}

/** True while any rule tells pages apart. */
function hasPageRules({ values, sections }: Context): boolean {
  return [values.READ_PATHS, values.WRITE_PATHS].some((globs) => !globs.includes("**")) ||
    values.HIDDEN_PATHS.length > 0 || sections.claims.length > 0 ||
    [...sections.tokens, ...sections.clients].some((rule) => rule.rights !== null);
}

function reportNothingToServe(context: Context): void {
  const url = variableOf("SILVERBULLET_URL");
  const old = context.programs.named.has("mcp-silverbullet")
    ? "; the old default address only counts where no other program's names and no name of today are set"
    : "";
  const bare = bareNames.filter((name) => (context.source.env[name] ?? "") !== "");
  const hint = bare.length === 0 ? "" : `; SILVERBRIDGE_ is missing before ${bare.join(" and ")}`;
  context.report.problem(
    named(context, "SILVERBULLET_URL"),
    `Neither SilverBullet nor a folder is configured${old}${hint}`,
    `Set ${url} to the address of SilverBullet, or ${variableOf("ROOTS")} to folders such as docs=/srv/docs`,
  );
}

/** What the settings are called in the tables of the documentation. */
const bareNames: readonly OptionName[] = ["SILVERBULLET_URL", "ROOTS"];

function defaultLogFormat({ source, programs }: Context): "json" | "text" {
  return source.isTerminal || programs.sole === "silverbullet-mcp-server" ? "text" : "json";
}
