/** What was refused lately, so that an owner sees a client that goes wrong, or somebody at the door. */

import type { Refused } from "../../../access/refused_attempts.ts";
import { type Html, html } from "../../../web/html.ts";
import { timeAgo } from "../time_words.ts";
import { type CallerNames, callerWords, pageWords } from "./caller_words.ts";

export interface RefusedContext {
  readonly names: CallerNames;
  readonly now: number;
}

export function refusedList(refused: readonly Refused[], context: RefusedContext): Html {
  return html`
    <h2 id="refused">Refused</h2>
    <p class="hint">What this server did not let happen in the last month, counted by the hour.</p>
    <ul class="entries">${refused.map((each) => html`<li>${sentence(each, context)}</li>`)}</ul>
  `;
}

function sentence({ what, who, code, last, count, detail }: Refused, { names, now }: RefusedContext): Html {
  const times = count === 1 ? null : html`
    · ${count} times
  `;
  const when = timeAgo(last, now);
  if (what === "sign-in") {
    const from = detail === "" ? null : html`, last from <code>${detail}</code>`;
    return html`<strong>Signing in</strong>: ${
      signInWords[code] ?? code.replaceAll("_", " ")
    }${from} · ${when}${times}`;
  }
  const page = detail === "" ? null : html`
    on <strong>${pageWords(detail.replace(/\.md$/, ""))}</strong>
  `;
  return html`<strong>${callerWords(who, names)}</strong> wanted <code>${what}</code>${page}: ${
    toolWords[code] ?? code
  } · ${when}${times}`;
}

const toolWords: Readonly<Record<string, string>> = {
  forbidden_path: "it may not do that",
  "permission-denied": "it may not do that",
  rate_limited: "it had changed as much as it may in an hour, and was stopped",
  read_only: "nothing can be changed there",
  protected: "the text there is protected",
};

const signInWords: Readonly<Record<string, string>> = {
  secret_wrong: "the owner’s secret was wrong",
  secret_locked: "somebody tried again who had to wait",
  secret_busy: "too many tried at once",
  passkey_refused: "a passkey that this server does not know",
  code_replayed: "a code came a second time, and the client was disconnected",
  refresh_token_reused: "an old token came again, and the client was disconnected",
  client_unknown: "a client that nobody knows",
  redirect_mismatch: "a client wanted to go back to an address that is not its own",
};
