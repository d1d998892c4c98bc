/**
 * The files of the sample folder, embedded in the program. Generated from `demo_folder/` by `deno task update`.
 */

import file0 from "./demo_folder/Drawings/lofting.txt" with { type: "text" };
import file1 from "./demo_folder/Handout.md" with { type: "text" };
import file2 from "./demo_folder/Ledger/2026-11.csv" with { type: "text" };

export const demoFolderFiles: Readonly<Record<string, string | Uint8Array>> = {
  "Drawings/lofting.txt": file0,
  "Handout.md": file1,
  "Ledger/2026-11.csv": file2,
};
