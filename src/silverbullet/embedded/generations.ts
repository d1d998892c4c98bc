/**
 * What the embedded server does differently for each server generation it can play.
 *
 * Facts: SilverBullet's own source at 2.0.0 (Deno), 2.1.2 and 2.9.0 (Go), 2.10.0, 2.11, 2.12 and after (Rust),
 * and what running servers of 2.9.0 and 2.10.0 answered.
 */

export type Generation =
  | "deno-2.0"
  | "go-2.1.2"
  | "go-2.9"
  | "rust-2.10"
  | "2.11"
  | "2.12"
  | "edge";

export const generations: readonly Generation[] = [
  "deno-2.0",
  "go-2.1.2",
  "go-2.9",
  "rust-2.10",
  "2.11",
  "2.12",
  "edge",
];

export interface GenerationTraits {
  readonly family: "deno" | "go" | "rust";
  /** `X-Server-Version` of `/.ping`; `null`: the header is not sent. */
  readonly version: string | null;
  /** Times in whole seconds instead of milliseconds. */
  readonly seconds: boolean;
  /** `ETag`, `If-Match`, `If-None-Match: *` on changes, and `syncProtocolVersion` in `/.config`. */
  readonly conditional: boolean;
  /** `If-None-Match` on GET answers 304. */
  readonly conditionalGet: boolean;
  /** `X-SilverBullet-Revision` beside `ETag`. */
  readonly revisionHeader: boolean;
  readonly events: boolean;
  /** The request path is decoded a second time, by query rules, unless its escapes are unusual ones. */
  readonly decodesTwice: boolean;
  /** `X-Content-Type` with metadata and after writes, not with bodies alone. */
  readonly typeHeaderAlways: boolean;
  /** Files whose name has no extension are listed. */
  readonly listsExtensionless: boolean;
}

const goTraits = {
  family: "go",
  seconds: false,
  conditional: false,
  conditionalGet: false,
  revisionHeader: false,
  events: false,
  decodesTwice: false,
  typeHeaderAlways: true,
  listsExtensionless: false,
} as const;

const rustTraits = { ...goTraits, family: "rust", typeHeaderAlways: false } as const;

const table: Readonly<Record<Generation, GenerationTraits>> = {
  "deno-2.0": {
    ...goTraits,
    family: "deno",
    version: null,
    typeHeaderAlways: false,
    listsExtensionless: true,
  },
  "go-2.1.2": {
    ...goTraits,
    version: null,
    seconds: true,
    decodesTwice: true,
    typeHeaderAlways: false,
    listsExtensionless: true,
  },
  "go-2.9": { ...goTraits, version: "2.9.0-0-g72bba941-2026-06-11T08-00-00Z" },
  "rust-2.10": { ...rustTraits, version: "2.10.0-0-g2b2a7c71-2026-07-28T08-00-00Z" },
  "2.11": {
    ...rustTraits,
    version: "2.11.0-0-g01ae8ef5-2026-09-01T08-00-00Z",
    events: true,
    conditional: true,
  },
  "2.12": {
    ...rustTraits,
    version: "2.12.0-0-g51be16ec-2026-10-01T08-00-00Z",
    events: true,
    conditional: true,
    conditionalGet: true,
  },
  edge: {
    ...rustTraits,
    version: "2.12.0-40-gcdf2ddc9-2026-11-01T08-00-00Z",
    events: true,
    conditional: true,
    conditionalGet: true,
    revisionHeader: true,
  },
};

export function traitsOf(generation: Generation): GenerationTraits {
  return table[generation];
}
