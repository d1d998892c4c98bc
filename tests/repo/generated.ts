/** Every file that is made from the code or from other files, with what it should say. `deno task update` writes them. */

import { demoSpaceModule } from "./demo_space.ts";

export interface GeneratedFile {
  /** Path in the project. */
  readonly path: string;
  readonly generate: () => string;
}

export const generatedFiles: readonly GeneratedFile[] = [
  { path: "src/cli/demo_space.ts", generate: demoSpaceModule },
];
