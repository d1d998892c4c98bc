/** Attributes of form controls that are there or not. */

import { type Html, html } from "../../web/html.ts";

export function checked(isChecked: boolean): Html | null {
  return isChecked
    ? html`
      checked
    `
    : null;
}

export function invalid(isInvalid: boolean): Html | null {
  return isInvalid
    ? html`
      aria-invalid="true"
    `
    : null;
}
