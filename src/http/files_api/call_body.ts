/** The body of `POST /call`: which tool, with which arguments, read so strictly that it can mean one thing only. */

import { parseStrictJson } from "../../text/strict_json.ts";
import { refuse } from "../refusals.ts";
import { fault } from "./answers.ts";
import { toolCalled } from "./tools.ts";

export interface Called {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What `curl -d` and `urllib` say of any body that they are given. */
const unnamed = "application/x-www-form-urlencoded";

export function readCall(bytes: Uint8Array, contentType: string | null): Called | Response {
  if (!isTaken(contentType)) return refuse("unsupported-media-type");
  const parsed = parseStrictJson(bytes);
  if (parsed === null) return refuse("invalid-json");
  if (!isObject(parsed.value)) return refuse("json-object-required");
  const problem = envelopeProblem(parsed.value);
  if (problem !== null) return fault("invalid-argument", problem);
  if (!parsed.isWhole) {
    return fault("invalid-argument", "Numbers here are integers, written in digits alone, such as 4000");
  }
  const { tool: name, args = {} } = parsed.value;
  const tool = toolCalled(String(name));
  return tool === null || !isObject(args) ? refuse("unknown-tool") : { tool, args };
}

function envelopeProblem(body: Readonly<Record<string, unknown>>): string | null {
  if (Object.keys(body).some((name) => name !== "tool" && name !== "args")) {
    return "The body has `tool`, `args` and nothing else";
  }
  if (typeof body["tool"] !== "string" || body["tool"] === "") {
    return "`tool` must be a string that is not empty";
  }
  return body["args"] === undefined || isObject(body["args"])
    ? null
    : "`args` must be an object where it is given";
}

/** JSON, or no word about it; in UTF-8. */
function isTaken(contentType: string | null): boolean {
  if (contentType === null) return true;
  const [type, ...parameters] = contentType.toLowerCase().split(";").map((part) => part.trim());
  if (type !== "application/json" && type !== unnamed) return false;
  return parameters.every((parameter) =>
    !/^charset\s*=/.test(parameter) || /^charset\s*=\s*"?utf-?8"?$/.test(parameter)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
