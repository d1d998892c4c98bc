/** The modules that carry the sample space and the sample folder inside the program: one import for each of their files. */

import { listFiles } from "./tree.ts";

export function demoSpaceModule(): string {
  return embedded({ folder: "src/cli/demo_space", what: "sample space", name: "demoFiles" });
}

export function demoFolderModule(): string {
  return embedded({ folder: "src/cli/demo_folder", what: "sample folder", name: "demoFolderFiles" });
}

interface Embedded {
  readonly folder: string;
  readonly what: string;
  /** Of the constant. */
  readonly name: string;
}

function embedded({ folder, what, name: constant }: Embedded): string {
  const below = folder.slice(folder.lastIndexOf("/") + 1);
  const names = listFiles(folder).map((path) => path.slice(folder.length + 1).normalize("NFC")).sort();
  const imports = names.map((name, index) =>
    `import file${index} from ${JSON.stringify(`./${below}/${name}`)} with { type: "${typeOf(name)}" };`
  );
  const rows = names.map((name, index) => `  ${JSON.stringify(name)}: file${index},`);
  return [
    "/**",
    ` * The files of the ${what}, embedded in the program. Generated from \`${below}/\` by \`deno task update\`.`,
    " */",
    "",
    ...imports,
    "",
    `export const ${constant}: Readonly<Record<string, string | Uint8Array>> = {`,
    ...rows,
    "};",
    "",
  ].join("\n");
}

function typeOf(name: string): "text" | "bytes" {
  return /\.(?:md|txt|csv)$/.test(name) ? "text" : "bytes";
}
