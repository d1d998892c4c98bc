/** Where the owner's secret is typed, and what became of the last try. */

import type { ConsentProblem } from "../../oauth/authorize_endpoint.ts";
import type { DoorProblem } from "../../oauth/owner_door.ts";
import { type Html, html } from "../../web/html.ts";
import { invalid } from "./form_marks.ts";
import { fullTime, spanWords } from "./time_words.ts";

export type SecretProblem = ConsentProblem | DoorProblem;

export interface SecretFieldOptions {
  /** False where it is asked for only if what is wanted needs it. */
  readonly isRequired?: boolean;
  readonly hint?: string;
}

const usualHint = "The passphrase that this server was set up with. It stays here: the client never gets it.";

export function secretField(
  problem: SecretProblem | null,
  { isRequired = true, hint = usualHint }: SecretFieldOptions = {},
): Html {
  const isLocked = problem?.kind === "locked" || (problem?.kind === "wrong" && problem.left === 0);
  const isWrong = problem?.kind === "wrong";
  return html`
    <label for="secret">Owner’s secret</label>
    <input id="secret" name="secret" type="password" autocomplete="current-password" ${isRequired
      ? html`
        required
      `
      : null} maxlength="1024"
      ${isWrong
        ? html`
          autofocus
        `
        : null}
      aria-describedby="${isWrong ? "problem " : ""}secret-hint" ${invalid(isWrong)}>
    <p class="hint" id="secret-hint">${hint}</p>
    ${isLocked
      ? html`
        <label for="unlock">Unlock code <span class="hint">(only if you cannot wait)</span></label>
        <input id="unlock" name="unlock" type="text" autocomplete="one-time-code" autocapitalize="none"
          spellcheck="false"
          maxlength="40" aria-describedby="unlock-hint">
        <p class="hint" id="unlock-hint"><code>silverbridge owner unlock</code> on the machine that runs this server
          prints one.</p>
      `
      : null}
  `;
}

export function problemBox(problem: SecretProblem, now: number): Html {
  return html`
    <div class="problem" role="alert" id="problem">
      <p>${problemWords(problem, now)}</p>
    </div>
  `;
}

function problemWords(problem: SecretProblem, now: number): Html {
  switch (problem.kind) {
    case "wrong":
      return problem.left > 0
        ? html`<strong>That is not the owner’s secret.</strong> ${
          problem.left === 1 ? "One more try" : `${problem.left} more tries`
        } before you have to wait.`
        : html`<strong>That is not the owner’s secret.</strong> ${waitWords(problem.seconds, now)}`;
    case "locked":
      return html`<strong>Too many wrong tries.</strong> ${waitWords(problem.seconds, now)}`;
    case "busy":
      return html`<strong>Too many people are trying at this moment.</strong> Wait a few seconds, then try again.`;
    case "unwritable":
      return html`<strong>This server cannot write to its state folder now.</strong> Nothing was done. Look at its log,
        then try again.`;
    case "passkey":
      return html`<strong>That passkey was not taken.</strong> It is not one of this server’s any more, or it answered
        something else than this page asked. Load the page again, or use the owner’s secret.`;
    case "expired":
      return html`<strong>This page was open for too long, or was opened in another browser.</strong> Nothing was
        done. Look it over once more and decide again.`;
    case "globs":
      return html`<strong>A pattern for the pages that it may ${
        problem.field === "sees" ? "see" : "change"
      } is malformed.</strong> Write one a line, such as <code>Projects/**</code>, without a slash in front.`;
  }
}

function waitWords(seconds: number, now: number): Html {
  return html`The next try counts in ${spanWords(seconds)}, at ${fullTime(now + seconds * 1000)}.`;
}
