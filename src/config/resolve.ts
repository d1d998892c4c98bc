/**
 * Decides between the places where a setting was given: flag, variable, older name, file, default.
 *
 * Everything that was given is checked, also what another place overrides; and what belongs to one environment must
 * not contradict itself, since nobody can tell which of the two was meant.
 */

import { type Candidate, levels } from "./candidate.ts";
import { type OptionName, optionRows, type Values } from "./options.ts";
import type { Kind, Parsed } from "./kind.ts";
import type { Option } from "./option.ts";
import type { Report } from "./report.ts";

export interface Resolved {
  readonly values: Values;
  /** Where each setting came from that did not come from its default. */
  readonly given: ReadonlyMap<OptionName, Candidate>;
}

interface Reading {
  readonly candidate: Candidate;
  readonly value: unknown;
  /** The value in one spelling, to compare by. */
  readonly shown: string;
}

export interface ResolveOptions {
  readonly report: Report;
  /** Makes a path absolute, from the folder that its place stands for. */
  readonly absolute: (path: string, candidate: Candidate) => string;
}

export function resolveOptions(
  candidates: readonly Candidate[],
  { report, absolute }: ResolveOptions,
): Resolved {
  const given = new Map<OptionName, Candidate>();
  const values = new Map<OptionName, unknown>();
  for (const [name, option] of optionRows()) {
    const all = candidates.filter((candidate) => candidate.option === name);
    const readings = weigh(all, report).flatMap((each) => read(each, { option, report }));
    reportContradiction(readings, report);
    const winner = strongest(readings);
    values.set(name, winner === undefined ? option.fallback : settle(option.kind, winner, absolute));
    if (winner !== undefined) given.set(name, winner.candidate);
  }
  // Every row was visited and each value came from its row's own kind or fallback.
  return { values: Object.fromEntries(values) as unknown as Values, given };
}

function strongest(readings: readonly Reading[]): Reading | undefined {
  const ordered = levels.flatMap((level) => readings.filter((each) => each.candidate.level === level));
  const first = ordered[0];
  if (!first?.candidate.alias?.either) return first;
  return ordered.find(({ candidate, value }) => candidate.alias?.either && value === true) ?? first;
}

/** Drops what only counts alone: old helper names, and names that hosting platforms set on their own. */
function weigh(candidates: readonly Candidate[], report: Report): readonly Candidate[] {
  const prefixed = candidates.find(({ alias }) => alias !== null && !alias.common && !alias.yields);
  const stronger = candidates.some(({ level }) => level === "variable" || level === "credential");
  return candidates.filter((candidate) => {
    const { alias } = candidate;
    if (alias?.yields) return candidates.length === 1;
    if (!alias?.common || prefixed === undefined || stronger) return true;
    report.inform("ignored_name", `${candidate.name} has no effect beside ${prefixed.name}`);
    return false;
  });
}

function read(
  candidate: Candidate,
  { option, report }: { readonly option: Option<unknown>; readonly report: Report },
): readonly Reading[] {
  const { alias, name } = candidate;
  let text = candidate.text;
  if (alias?.read && typeof text === "string") {
    const reading = alias.read(text);
    if ("unset" in reading) {
      if (reading.unset !== null) report.warn("old_value", `${name} ${reading.unset}`);
      return [];
    }
    if ("wanted" in reading) return refuse(candidate, { option, report, wanted: reading.wanted });
    text = reading.text;
  }
  const parsed = parse(option.kind, text);
  if ("wanted" in parsed) return refuse(candidate, { option, report, wanted: parsed.wanted });
  return [{ candidate, value: parsed.value, shown: option.kind.show(parsed.value) }];
}

function parse(kind: Kind<unknown>, text: string | readonly string[]): Parsed<unknown> {
  if (typeof text === "string") return kind.parse(text);
  return kind.parseItems?.(text) ?? { wanted: `a single value: ${kind.label}` };
}

function refuse(
  { name }: Candidate,
  { option, report, wanted }: {
    readonly option: Option<unknown>;
    readonly report: Report;
    readonly wanted: string;
  },
): readonly Reading[] {
  const fallback = option.fallback === null ? option.derived : option.kind.show(option.fallback);
  const otherwise = fallback === null || fallback === ""
    ? "or leave it out"
    : `or leave it out for ${fallback}`;
  report.problem(name, `${name} must be ${wanted}`, `Correct it, ${otherwise.replaceAll("`", "")}`);
  return [];
}

function reportContradiction(readings: readonly Reading[], report: Report): void {
  const environment = readings.filter(({ candidate }) =>
    candidate.level !== "flag" && candidate.level !== "file"
  );
  const [first, ...others] = environment;
  for (const other of others) {
    if (first === undefined || other.shown === first.shown) continue;
    if (first.candidate.alias?.either && other.candidate.alias?.either) continue;
    report.problem(
      first.candidate.name,
      `${first.candidate.name} and ${other.candidate.name} are set to different values`,
      `Keep ${first.candidate.name} and remove ${other.candidate.name}, or make them the same`,
    );
  }
}

function settle(
  kind: Kind<unknown>,
  { candidate, value }: Reading,
  absolute: ResolveOptions["absolute"],
): unknown {
  return kind.settle?.(value, (path) => absolute(path, candidate)) ?? value;
}
