/** `journal_page`: the page of a day at the space's own journal prefix, made where it is missing. */

import { AppError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import { parsePageName } from "../../core/page_name.ts";
import { dayOfName } from "../../index/analysis/journal_day.ts";
import { decodeUtf8, encodeUtf8 } from "../../text/utf8.ts";
import { isBlank } from "../../text/joins.ts";
import { appendToPage } from "../editing/append.ts";
import { changing } from "../past/change.ts";
import { demandCreatable, makePage } from "../writing/create.ts";
import { findPage } from "../find.ts";
import type { JournalAnswer, JournalRequest } from "./find_requests.ts";
import { builtInJournalText, journalText } from "./journal_template.ts";
import { luaSettings } from "./lua_settings.ts";
import type { NotesParts } from "../parts.ts";
import { readPage } from "../reading/read.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";
import { isHidden, may } from "../rights.ts";

const defaults = { prefix: "Journal/", template: "Library/Std/Journal/Template", tag: "journal" };
const shownBytes = 48_000;

interface JournalDay {
  readonly day: string;
  readonly page: string;
  readonly template: string;
  readonly tag: string;
}

/** Opens the page, adds to it, or makes it from the template, with the content in it. */
export async function journalPage(
  parts: NotesParts,
  caller: Caller,
  request: JournalRequest,
): Promise<JournalAnswer> {
  const content = isBlank(request.content ?? "") ? "" : request.content ?? "";
  const wanted = await journalDay(parts, caller, dayOf(request.date, parts.clock));
  const { value } = await findPage(parts, caller, wanted.page);
  const made = value === null ? await makeDay(parts, caller, { wanted, content }) : null;
  if (made !== null) return { info: { ...made, date: wanted.day, created: true }, text: null };
  if (content !== "") {
    const added = await appendToPage(parts, caller, {
      page: wanted.page,
      content,
      section: null,
      ifMatch: null,
      dryRun: false,
      retries: null,
    });
    return { info: { ...added, date: wanted.day, created: false }, text: null };
  }
  const { info, text } = await readPage(parts, caller, {
    page: wanted.page,
    view: "full",
    section: null,
    startLine: null,
    endLine: null,
    maxBytes: shownBytes,
    cursor: null,
  });
  return { info: { ...info, date: wanted.day, created: false }, text };
}

/** `null` where somebody else has made the page meanwhile. */
async function makeDay(
  parts: NotesParts,
  caller: Caller,
  { wanted, content }: { readonly wanted: JournalDay; readonly content: string },
): Promise<ChangeAnswer | null> {
  const target = parsePageName(wanted.page);
  const template = await textOf(parts, caller, wanted.template);
  const options = { day: wanted.day, tag: wanted.tag, content };
  const fromTemplate = template === null ? null : journalText(template, options);
  const bytes = encodeUtf8(fromTemplate ?? builtInJournalText(options));
  const path = demandCreatable(parts, caller, { target, bytes, verb: "append" });
  const answer = await changing(parts, caller, {
    target,
    work: async (found) =>
      found.value === null ? await makePage(parts, caller, { path, bytes, doing: "create" }) : null,
  });
  if (answer === null || template === null || fromTemplate !== null) return answer;
  const name = JSON.stringify(wanted.template);
  const warning = `The template ${name} needs Lua, which is not run here; SilverBullet's own was used`;
  return { ...answer, warnings: [...answer.warnings ?? [], warning] };
}

async function journalDay(parts: NotesParts, caller: Caller, day: string): Promise<JournalDay> {
  const config = await textOf(parts, caller, "CONFIG");
  const settings = luaSettings(config ?? "");
  const wanted = (key: keyof typeof defaults) => settings.get(`journal.${key}`) ?? defaults[key];
  return { day, page: wanted("prefix") + day, template: wanted("template"), tag: wanted("tag") };
}

/** The text of a page that the caller may read; `null` where there is none. */
async function textOf(parts: NotesParts, caller: Caller, page: string): Promise<string | null> {
  try {
    const { path } = parsePageName(page);
    if (isHidden(caller, path) || !may(caller, "read", path)) return null;
    const content = await parts.readerFor(caller).readNow(path, caller.signal);
    return content === null ? null : decodeUtf8(content.bytes);
  } catch (error) {
    // A name that is none; whatever else is wrong shows itself on the page of the day.
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** `YYYY-MM-DD`; today by the clock of this machine where nothing is said. */
function dayOf(date: string | null, clock: Clock): string {
  const text = date?.trim().toLowerCase() ?? "today";
  if (text === "today") return localDay(clock.now());
  if (dayOfName(text) === text) return text;
  throw new AppError({
    code: "invalid_argument",
    message: "Cannot open a journal page: date must be a day of the calendar, as 2026-11-30",
    remedy: "Pass `date` as YYYY-MM-DD, or leave it out for today.",
    details: { argument: "date" },
  });
}

function localDay(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
