/** `silverbridge extract-document`: the program as the child process that reads one document. Not for people: `help` hides it. */

import { extractWord } from "../launch/extract_command.ts";
import { runExtractChild } from "../launch/extract_child.ts";
import { type Command, exitCode } from "./command.ts";

export const extractDocument: Command = {
  name: extractWord,
  summary: "Read one document from standard input, as a child process of the server",
  run(args) {
    return args.length > 0 ? Promise.resolve(exitCode.usage) : runExtractChild();
  },
};
