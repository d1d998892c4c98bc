/**
 * Argument schemas that several tools share, so that one word means one thing in every definition.
 *
 * Their descriptions are part of what a model pays for: a few words each, or none where the name says it.
 */

import { z } from "zod";

export const page = z.string().describe("Page name, as Projects/Alpha");

export const cursor = z.string().optional().describe("next_cursor of the answer before");

export const prefix = z.string().optional().describe("Only names that start with this");

export const ifMatch = z.string().optional().describe("etag of the version you read");

export const dryRun = z.boolean().default(false).describe("Show the result, write nothing");

/** A count with a default. The schema shows the maximum; a larger number is clamped by the tool, not refused. */
export function limit(preset: number, maximum: number) {
  return z.int().min(1).default(preset).describe(`At most ${maximum}`);
}

/** The count to use, and whether it had to be lowered (product §4.5: clamped, and the answer says so). */
export function clampLimit(
  asked: number,
  maximum: number,
): { readonly limit: number; readonly clamped: boolean } {
  return asked > maximum ? { limit: maximum, clamped: true } : { limit: asked, clamped: false };
}
