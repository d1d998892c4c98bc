/** What the page tools can do with the space, composed once per program (see `app.ts`). Interface under construction. */

// deno-lint-ignore no-empty-interface
export interface Notes {}
