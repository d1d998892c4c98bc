/** What the parts of the owner's page have in common: what they are given, what comes in, what they answer. */

import type { OwnerSide } from "../../access/owner_side.ts";
import type { Audit } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Notes } from "../../notes/notes.ts";
import type { Oversight } from "../../notes/past/oversight.ts";
import type { Caller } from "../../notes/requests.ts";
import type { DoorCall } from "../../oauth/owner_door.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import type { Html } from "../../web/html.ts";
import type { ConnectFacts } from "../pages/connect_steps.ts";
import type { Readiness } from "../readiness.ts";
import type { SpaceWords } from "../pages/owner/caller_words.ts";

export interface OwnerPageOptions {
  readonly owner: OwnerSide;
  /** `null` on a server over folders alone. */
  readonly notes: Notes | null;
  readonly space: SpaceWords | null;
  /** No page can be changed through this server. */
  readonly readOnly: boolean;
  /** Names of the tokens in the settings. */
  readonly tokens: readonly string[];
  /** Aliases of the folders. */
  readonly roots: readonly string[];
  readonly connect: ConnectFacts;
  readonly version: string;
  /** The operator's text for assistants; `null` where there is none. */
  readonly instructions: ((signal: AbortSignal) => Promise<string | null>) | null;
  /** Whether SilverBullet answers now, accepts the token and lets itself be read. */
  readonly ready: (signal: AbortSignal) => Promise<Readiness>;
  /** Gets one event for every change of a page. */
  readonly audit: Audit;
  readonly clock: Clock;
}

/** What is there only with notes and a history. */
export interface Past {
  readonly notes: Notes;
  readonly oversight: Oversight;
}

/** One request of an owner who is in. */
export interface OwnerVisit {
  readonly call: DoorCall;
  /** The cookie of the session. */
  readonly session: string;
  /** What forms of this session carry. */
  readonly ticket: string;
  readonly query: Parameters;
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface PartPage {
  readonly heading: string;
  readonly main: Html;
  readonly status?: number;
  /** It carries the script for passkeys. */
  readonly hasScript?: boolean;
}

/** What was done, as the page says it afterwards. */
export type Done =
  | "ended"
  | "changed"
  | "over"
  | "undone"
  | "restored"
  | "emptied"
  | "emptied-some"
  | "emptied-more"
  | "passkey-added"
  | "passkey-removed"
  | "others-out";

export type PartAnswer =
  | { readonly kind: "page"; readonly page: PartPage }
  /** It is done: the browser goes back to the part, so that loading it again does nothing. */
  | { readonly kind: "done"; readonly done: Done };

export interface OwnerPart {
  show(visit: OwnerVisit): Promise<PartPage>;
  /** A form of the part; `null` for one that it does not know. */
  act(visit: OwnerVisit, fields: Parameters): Promise<PartAnswer | null>;
}

/** A page is not kept waiting longer than this by a SilverBullet that does not answer; milliseconds. */
const lookMs = 5000;

/** The visit, for what only looks. */
export function looking(visit: OwnerVisit): OwnerVisit {
  return { ...visit, signal: AbortSignal.any([visit.signal, AbortSignal.timeout(lookMs)]) };
}

/** The owner as a caller of page operations. */
export function ownerCaller({ owner, audit }: OwnerPageOptions, { call, signal }: OwnerVisit): Caller {
  return {
    principal: owner.principal,
    tool: "owner_page",
    client: null,
    requestId: call.requestId,
    signal,
    audit,
  };
}
