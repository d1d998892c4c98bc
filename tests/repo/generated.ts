/** Every file that is made from the code or from other files, with what it should say. `deno task update` writes them. */

import { manualPage } from "../../src/cli/manual_page.ts";
import { version } from "../../src/core/version.ts";
import { configurationReference } from "../config/reference_configuration.ts";
import { demoFolderModule, demoSpaceModule } from "./demo_space.ts";
import { errorReference } from "./reference_errors.ts";
import { httpReference } from "./reference_http.ts";
import { toolReference } from "./reference_tools.ts";

export interface GeneratedFile {
  /** Path in the project. */
  readonly path: string;
  readonly generate: () => string;
}

export const generatedFiles: readonly GeneratedFile[] = [
  { path: "src/cli/demo_space.ts", generate: demoSpaceModule },
  { path: "src/cli/demo_folder.ts", generate: demoFolderModule },
  { path: "docs/reference/tools.md", generate: toolReference },
  { path: "docs/reference/errors.md", generate: errorReference },
  { path: "docs/reference/http.md", generate: httpReference },
  { path: "docs/reference/configuration.md", generate: configurationReference },
  { path: "docs/man/silverbridge.1", generate: () => manualPage(version) },
];
