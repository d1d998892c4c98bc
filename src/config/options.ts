/**
 * The table of every setting: the only source for reading, checking, `help`, the reference page and migration.
 *
 * Keys are the names without prefix. A row without a name of today (`old`) is reached by its alias alone.
 */

import { accessOptions } from "./options_access.ts";
import { reachOptions } from "./options_reach.ts";
import { useOptions } from "./options_use.ts";
import type { Option } from "./option.ts";

export const prefix = "SILVERBRIDGE_";

export const options = { ...reachOptions, ...accessOptions, ...useOptions };

export type OptionName = keyof typeof options;

/** What each setting comes out as; `null` where it has no fixed default and nothing was given. */
export type Values = {
  readonly [Name in OptionName]: typeof options[Name] extends Option<infer T, infer F> ? T | F : never;
};

/** Every name with its row, in the order of the table. */
export function optionRows(): ReadonlyArray<readonly [OptionName, Option<unknown>]> {
  return optionNames().map((name) => [name, options[name]]);
}

export function optionNames(): readonly OptionName[] {
  return Object.keys(options).filter(isOptionName);
}

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(options, name);
}

/** The variable of a setting. */
export function variableOf(name: OptionName): string {
  return prefix + name;
}

/** The flag of a setting; secrets have only the form that names a file. */
export function flagOf(name: OptionName): string {
  const words = name.toLowerCase().replaceAll("_", "-");
  return options[name].secret ? `--${words}-file` : `--${words}`;
}

/** The name in the configuration file and in the credentials folder. */
export function keyOf(name: OptionName): string {
  return name.toLowerCase();
}
