/**
 * Takes the console away before any parser is loaded: a warning on standard output would stand in the middle of the answer,
 * and one on standard error would quote the document.
 */

import { silenceConsole } from "./standard_streams.ts";

silenceConsole();
