/** The version of this program, as `deno.json` has it. */

import manifest from "../../deno.json" with { type: "json" };

export const version: string = manifest.version;
