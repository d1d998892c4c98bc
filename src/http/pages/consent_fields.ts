/** The fields in which the owner says what a client may do: when it is approved, and whenever that is changed later. */

import { profileChoices } from "../../oauth/consent.ts";
import type { ConsentBounds, ConsentForm } from "../../oauth/consent_form.ts";
import { type Html, html } from "../../web/html.ts";
import { checked, invalid } from "./form_marks.ts";

export interface Fields {
  readonly form: ConsentForm;
  readonly bounds: ConsentBounds;
  /** The field whose patterns are malformed. */
  readonly wrong: "sees" | "changes" | null;
  /** Said later, of a client that is connected: the limits are shown from the beginning. */
  readonly isLater?: boolean;
}

export const profileWords: Readonly<Record<string, string>> = {
  standard: "the usual tools",
  full: "every tool",
  read: "reading tools only",
  chatgpt: "search and fetch only, as ChatGPT wants them",
  files: "folders only, no notes",
};

export function accessChoice(form: Pick<ConsentForm, "access">): Html {
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

export function limits(
  view: Fields,
  { asksWrite, space }: { readonly asksWrite: boolean; readonly space: string | null },
): Html {
  const { form, bounds, wrong } = view;
  const isOpen = view.isLater === true || wrong !== null || form.sees !== "" || form.changes !== "" ||
    form.roots !== null ||
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
        `One pattern a line, such as Projects/** or Journal/*. Empty: ${
          view.isLater === true ? "all that this server’s settings leave it" : "all that are listed above"
        }.`,
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

function rootChoice({ form, bounds }: Fields): Html {
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
