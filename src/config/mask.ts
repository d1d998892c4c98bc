/** Shows settings without showing secrets. */

import type { Config } from "./config.ts";
import { type Context, named } from "./context.ts";
import type { EffectiveSetting } from "./effective.ts";
import { type OptionName, optionRows } from "./options.ts";
import { showBytes } from "./kinds.ts";

/** What stands for a secret: neither its length nor any part of it. */
export const maskedSecret = "********";

/** Every setting as it came out. Values that the cross rules derived are shown as derived. */
export function effectiveSettings(context: Context, config: Config): readonly EffectiveSetting[] {
  const derived = derivedValues(config);
  const rows = optionRows().map(([name, option]): EffectiveSetting => {
    const value: unknown = context.values[name];
    const given = context.given.has(name);
    const outcome = derived[name];
    if (option.secret) {
      return { name, shown: value === null ? "" : maskedSecret, origin: given ? named(context, name) : "" };
    }
    if (given) return { name, shown: outcome ?? option.kind.show(value), origin: named(context, name) };
    if (outcome !== undefined) return { name, shown: outcome, origin: "derived" };
    return {
      name,
      shown: value === null ? "" : option.kind.show(value),
      origin: value === null ? "" : "default",
    };
  });
  const used = rows.filter((row) => !isUnusedOld(row));
  return [...used, ...sectionRows(config)].map((row) => ({ ...row, shown: oneLine(row.shown) }));
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}

/** Old names are only worth a line where they are set. */
function isUnusedOld(row: EffectiveSetting): boolean {
  const option = optionRows().find(([name]) => name === row.name)?.[1];
  return option?.old === true && (row.origin === "default" || row.origin === "");
}

function derivedValues(config: Config): Readonly<Partial<Record<OptionName, string>>> {
  const { silverbullet, changesPerHour } = config;
  const found: Partial<Record<OptionName, string>> = {
    HOST: config.host,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    ALLOWED_HOSTS: config.allowedHosts.join(", "),
    ALLOWED_ORIGINS: config.allowedOrigins.join(", "),
    PUBLIC_MODE: config.publicMode ? "on" : "off",
    AUTH: config.auth.length === 0 ? "none" : config.auth.join(", "),
    STATE_DIR: config.state.dir ?? "none",
    TRASH: config.trash,
    CHANGES_PER_HOUR: changesPerHour === null ? "off" : `${changesPerHour.changed}/${changesPerHour.deleted}`,
    RATE_LIMIT_PER_MINUTE: String(config.rateLimitPerMinute),
    MAX_BODY_BYTES: showBytes(config.maxBodyBytes),
    LOG_FORMAT: config.logFormat,
  };
  if (silverbullet === null) return found;
  return {
    ...found,
    SILVERBULLET_URL: silverbullet.url,
    SILVERBULLET_PUBLIC_URL: silverbullet.publicUrl,
    ...(silverbullet.spacePath === null ? {} : { SPACE_PATH: silverbullet.spacePath }),
  };
}

function sectionRows(config: Config): readonly EffectiveSetting[] {
  const origin = "configuration file";
  function rows(section: string, names: readonly string[]): readonly EffectiveSetting[] {
    return names.length === 0 ? [] : [{ name: section, shown: names.join(", "), origin }];
  }
  return [
    ...rows("tokens", config.tokens.map((token) => token.name)),
    ...rows("clients", config.clients.map((client) => client.name)),
    ...rows("claims", config.jwt?.claims.map((claim) => Object.keys(claim.when).join("+")) ?? []),
  ];
}
