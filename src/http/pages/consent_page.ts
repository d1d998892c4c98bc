/** The page where the owner decides about a client: who asks, where it goes back to, what it gets, yes or no. */

import type { ConsentProblem, ConsentView } from "../../oauth/authorize_endpoint.ts";
import { profileChoices } from "../../oauth/consent.ts";
import { type Html, html } from "../../web/html.ts";
import {
  callName,
  currencyWords,
  destinationWords,
  earlierWords,
  rightsWords,
  standingWords,
} from "./consent_words.ts";
import { renderPage } from "./layout.ts";
import { fullTime, spanWords, timeAgo } from "./time_words.ts";

export interface ConsentPageOptions {
  /** What the notes are called; `null` on a server over folders alone. */
  readonly space: string | null;
  /** Redirect hosts that nobody knows get a louder word. */
  readonly warnsOfHosts: boolean;
}

const profileWords: Readonly<Record<string, string>> = {
  standard: "the usual tools",
  full: "every tool",
  read: "reading tools only",
  chatgpt: "search and fetch only, as ChatGPT wants them",
  files: "folders only, no notes",
};

export function renderConsentPage(view: ConsentView, options: ConsentPageOptions): string {
  const { request: { client, redirect, currency, asked }, bounds, earlier, problem, now } = view;
  const destination = destinationWords(redirect, options.warnsOfHosts);
  const asksWrite = asked.write && bounds.write;
  const wish = options.space === null
    ? "read your folders"
    : asksWrite
    ? "read and change your notes"
    : "read your notes";
  const doubt = currencyWords(client, currency, now);
  return renderPage({
    title: "Approve a client",
    heading: `${callName(client)} wants to ${wish}`,
    main: html`
      ${problem === null ? null : problemBox(problem, now)}
      <dl class="facts">
        <dt>Who asks</dt>
        <dd><strong>${client.name === "" ? "no name" : client.name}</strong><br>${standingWords(
          client,
        )}${doubt === null ? null : html`<br><span class="warn">${doubt}</span>`}</dd>
        <dt>Goes back to</dt>
        <dd>${destination.place}${destination.caution === null
          ? null
          : html`<br><span class="warn">${destination.caution}</span>`}</dd>
        <dt>What it gets</dt>
        <dd><ul>${rightsWords(bounds, { asksWrite: asked.write, space: options.space }).map((line) =>
          html`<li>${line}</li>`
        )}</ul></dd>
        ${earlier === null ? null : html`
          <dt>Last time</dt>
          <dd>You approved this client ${timeAgo(earlier.at, now)}: ${earlierWords(earlier.consent)}</dd>
        `}
      </dl>
      <form method="post" action="${view.action}" class="decide">
        <input type="hidden" name="ticket" value="${view.ticket}">
        ${asksWrite && options.space !== null ? accessChoice(view) : null}
        ${limits(view, { asksWrite, space: options.space })}
        ${secretField(problem)}
        <p class="buttons">${buttons(destination.isStrange)}</p>
        <p class="hint">If this page stays after you approved, look at the client: it may be connected already.</p>
        <p class="hint">You can end this at any time: <code>silverbridge grants</code> on the machine that runs this
          server lists who is connected and revokes it at once.</p>
      </form>
    `,
  });
}

function accessChoice({ form }: ConsentView): Html {
  return html`
    <fieldset>
      <legend>It may</legend>
      <label class="choice"><input type="radio" name="access" value="read"${checked(form.access === "read")}>
        read only</label>
      <label class="choice"><input type="radio" name="access" value="write"${checked(
        form.access === "write",
      )}>
        read and change</label>
    </fieldset>
  `;
}

function limits(
  view: ConsentView,
  { asksWrite, space }: { readonly asksWrite: boolean; readonly space: string | null },
): Html {
  const { form, bounds, problem } = view;
  const wrong = problem?.kind === "globs" ? problem.field : null;
  const isOpen = wrong !== null || form.sees !== "" || form.changes !== "" || form.roots !== null ||
    form.profile !== "";
  const area = (name: "sees" | "changes", label: string, hint: string) =>
    html`
      <label for="${name}">${label}</label>
      <textarea id="${name}" name="${name}" rows="2" spellcheck="false" autocapitalize="none"
        aria-describedby="${name}-hint" ${invalid(wrong === name)}>${form[name]}</textarea>
      <p class="hint" id="${name}-hint">${hint}</p>
    `;
  return html`
    <details${isOpen
      ? html`
        open
      `
      : null}>
      <summary>Limit what it may see or do</summary>
      ${space === null ? null : area(
        "sees",
        "Pages that it may see",
        "One pattern a line, such as Projects/** or Journal/*. Empty: all that are listed above.",
      )}
      ${space === null || !asksWrite ? null : area(
        "changes",
        "Pages that it may change",
        "Only counts with “read and change”. Empty: the same as above.",
      )}
      ${bounds.roots.length === 0 ? null : rootChoice(view)}
      <label for="profile">Tools</label>
      <select id="profile" name="profile">
        <option value=""${form.profile === ""
          ? html`
            selected
          `
          : null}>as usual here: ${profileWords[bounds.profile] ?? bounds.profile}</option>
        ${profileChoices.map((profile) =>
          html`
            <option value="${profile}" ${form.profile === profile
              ? html`
                selected
              `
              : null}>${profileWords[profile] ?? profile}</option>
          `
        )}
      </select>
    </details>
  `;
}

function rootChoice({ form, bounds }: ConsentView): Html {
  return html`
    <fieldset>
      <legend>Folders that it may read</legend>
      <input type="hidden" name="roots_shown" value="1">
      ${bounds.roots.map((alias) =>
        html`
          <label
            class="choice"><input type="checkbox" name="root" value="${alias}"${checked(
              form.roots === null || form.roots.includes(alias),
            )}> <code>${alias}</code></label>
        `
      )}
    </fieldset>
  `;
}

function secretField(problem: ConsentProblem | null): Html {
  const isLocked = problem?.kind === "locked" || (problem?.kind === "wrong" && problem.left === 0);
  const isWrong = problem?.kind === "wrong";
  return html`
    <label for="secret">Owner’s secret</label>
    <input id="secret" name="secret" type="password" autocomplete="current-password" required maxlength="1024"
      ${isWrong
        ? html`
          autofocus
        `
        : null}
      aria-describedby="${isWrong ? "problem " : ""}secret-hint" ${invalid(isWrong)}>
    <p class="hint"
      id="secret-hint">The passphrase that this server was set up with. It stays here: the client never
      gets it.</p>
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

/** Enter chooses the first button of a form, so for strangers that is the one that refuses. */
function buttons(isStrange: boolean): readonly Html[] {
  const main = html`
    class="main"
  `;
  const approve = html`
    <button type="submit" name="decision" value="approve" ${isStrange ? null : main}>Approve</button>
  `;
  const deny = html`
    <button type="submit" name="decision" value="deny" formnovalidate${isStrange ? main : null}>Deny</button>
  `;
  return isStrange ? [deny, approve] : [approve, deny];
}

function problemBox(problem: ConsentProblem, now: number): Html {
  return html`
    <div class="problem" role="alert" id="problem">
      <p>${problemWords(problem, now)}</p>
    </div>
  `;
}

function problemWords(problem: ConsentProblem, now: number): Html {
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
    case "expired":
      return html`<strong>This page was open for too long, or was opened in another browser.</strong> Nothing was
        approved. Look it over once more and decide again.`;
    case "globs":
      return html`<strong>A pattern for the pages that it may ${
        problem.field === "sees" ? "see" : "change"
      } is malformed.</strong> Write one a line, such as <code>Projects/**</code>, without a slash in front.`;
  }
}

function waitWords(seconds: number, now: number): Html {
  return html`The next try counts in ${spanWords(seconds)}, at ${fullTime(now + seconds * 1000)}.`;
}

function checked(isChecked: boolean): Html | null {
  return isChecked
    ? html`
      checked
    `
    : null;
}

function invalid(isInvalid: boolean): Html | null {
  return isInvalid
    ? html`
      aria-invalid="true"
    `
    : null;
}
