/** Where the owner signs in to the owner's page. */

import type { SecretProblem } from "../secret_field.ts";
import { problemBox, secretField } from "../secret_field.ts";
import { html } from "../../../web/html.ts";
import { renderPage } from "../layout.ts";
import { type PasskeyChallenge, usePasskey } from "./passkey_forms.ts";

export interface DoorView {
  /** Where the form is sent, and where the owner is taken then. */
  readonly action: string;
  readonly ticket: string;
  readonly problem: SecretProblem | null;
  /** The browser came from a page of somebody else, and so did not say whether the owner is in. */
  readonly fromElsewhere: boolean;
  /** `null` where there is no passkey, or none can be used here. */
  readonly passkey: PasskeyChallenge | null;
  readonly now: number;
}

export function renderDoor({ action, ticket, problem, fromElsewhere, passkey, now }: DoorView): string {
  return renderPage({
    title: "Sign in",
    heading: "Sign in as the owner",
    main: html`
      ${problem === null ? null : problemBox(problem, now)}
      <p>Behind this are the clients that are connected to this server, what they did, and how to undo it.</p>
      ${fromElsewhere ? html`<p><a href="${action}">I am signed in already: open it</a></p>` : null}
      <form method="post" action="${action}" class="decide">
        <input type="hidden" name="ticket" value="${ticket}">
        ${secretField(problem, { hint: "The passphrase that this server was set up with." })}
        <p class="buttons"><button type="submit" name="do" value="sign-in" class="main">Sign in</button></p>
        <p class="hint">This browser stays signed in for twelve hours, or until you sign out.</p>
      </form>
      ${passkey === null ? null : usePasskey(action, passkey)}
    `,
  });
}
