/** The module that carries the sample space inside the program: one import for each file of `src/cli/demo_space/`. */

import { listFiles } from "./tree.ts";

const folder = "src/cli/demo_space";

export function demoSpaceModule(): string {
  const names = listFiles(folder).map((path) => path.slice(folder.length + 1).normalize("NFC")).sort();
  const imports = names.map((name, index) =>
    `import file${index} from ${JSON.stringify(`./demo_space/${name}`)} with { type: "${typeOf(name)}" };`
  );
  const rows = names.map((name, index) => `  ${JSON.stringify(name)}: file${index},`);
  return [
    "/**",
    " * The files of the sample space, embedded in the program. Generated from `demo_space/` by `deno task update`.",
    " */",
    "",
    ...imports,
    "",
    "export const demoFiles: Readonly<Record<string, string | Uint8Array>> = {",
    ...rows,
    "};",
    "",
  ].join("\n");
}

function typeOf(name: string): "text" | "bytes" {
  return name.endsWith(".md") ? "text" : "bytes";
}
