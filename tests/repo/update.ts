/** Writes every generated file again. The first half of `deno task update`; the second rewrites the snapshots of tool definitions. */

import { generatedFiles } from "./generated.ts";
import { projectRoot, readProjectFile } from "./tree.ts";

function writeGeneratedFiles(): void {
  for (const { path, generate } of generatedFiles) {
    const text = generate();
    const changed = readProjectFile(path) !== text;
    if (changed) {
      Deno.mkdirSync(new URL(".", new URL(path, projectRoot)), { recursive: true });
      Deno.writeTextFileSync(new URL(path, projectRoot), text);
    }
    console.log(`${changed ? "written " : "the same"} ${path}`);
  }
}

if (import.meta.main) writeGeneratedFiles();
