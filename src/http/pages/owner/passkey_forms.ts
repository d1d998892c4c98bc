/** Signing in with a passkey, and the list of them. The forms are hidden until a script finds that the browser can. */

import type { OwnerPasskey } from "../../../oauth/owner_passkeys.ts";
import { type Html, html } from "../../../web/html.ts";
import { secretField } from "../secret_field.ts";
import { timeAgo } from "../time_words.ts";

/** The page carries the one script that there is; its policy has to allow that. */
export const passkeyScript = html`
  <script src="/owner/passkeys.js" defer></script>
`;

export interface PasskeyChallenge {
  /** Host that passkeys of this server are bound to. */
  readonly host: string;
  readonly challenge: string;
}

export function usePasskey(
  action: string,
  { host, challenge }: PasskeyChallenge,
): Html {
  return html`
    <form method="post" action="${action}" id="use-passkey" data-host="${host}" hidden>
      <input type="hidden" name="challenge" value="${challenge}">
      ${["id", "client", "authenticator", "signature"].map(hiddenField)}
      <p>or <button type="submit" name="do" value="passkey">Use a passkey</button></p>
      <p class="hint"><output></output></p>
    </form>
    ${passkeyScript}
  `;
}

function hiddenField(name: string): Html {
  return html`<input type="hidden" name="${name}" value="">`;
}

export interface PasskeysView extends PasskeyChallenge {
  readonly passkeys: readonly OwnerPasskey[];
  readonly ticket: string;
  readonly now: number;
}

export function passkeySection(view: PasskeysView): Html {
  const { passkeys, host, challenge, ticket } = view;
  return html`
    <h2>Passkeys</h2>
    <p
      class="hint">A passkey of your phone, computer or key lets you in here without the owner’s secret. More rights for
      a client, and emptying the trash, still ask for the secret. A new secret ends all of them.</p>
    ${passkeys.length === 0 ? html`<p>There is none.</p>` : html`
      <ul class="entries">${passkeys.map((passkey) => html`<li>${passkeyRow(passkey, view)}</li>`)}</ul>
    `}
    <form method="post" action="/owner/state" id="make-passkey" class="decide" data-host="${host}"
      data-known="${passkeys.map(({ id }) => id).join(" ")}" hidden>
      <input type="hidden" name="ticket" value="${ticket}">
      <input type="hidden" name="challenge" value="${challenge}">
      ${["id", "client", "authenticator", "public_key", "algorithm"].map(hiddenField)}
      <label for="name">Name of the new passkey</label>
      <input id="name" name="name" type="text" maxlength="60" autocomplete="off" aria-describedby="name-hint">
      <p class="hint" id="name-hint">For this list, such as “phone”.</p>
      ${secretField(null, { hint: "Asked for once more, since a passkey lets in whoever has it." })}
      <p class="buttons"><button type="submit" name="do" value="passkey-add">Add a passkey</button></p>
      <p class="hint"><output></output></p>
    </form>
    ${passkeyScript}
  `;
}

function passkeyRow(
  { id, name, made, used }: OwnerPasskey,
  { ticket, now }: Pick<PasskeysView, "ticket" | "now">,
): Html {
  return html`
    <p><strong><bdi>${name}</bdi></strong> made ${timeAgo(made, now)}, ${used === null
      ? "not used yet"
      : html`last used ${timeAgo(used, now)}`}</p>
    <form method="post" action="/owner/state" class="row">
      <input type="hidden" name="ticket" value="${ticket}">
      <input type="hidden" name="passkey" value="${id}">
      <button type="submit" name="do" value="passkey-remove"
        class="small">Remove<span class="unseen"> ${name}</span></button>
    </form>
  `;
}
