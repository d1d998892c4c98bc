/**
 * What `doctor` asks the running server by the address that clients use: as Claude and ChatGPT do, from outside, and as
 * somebody who should get nothing.
 */

import type { Config } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/kinds_network.ts";
import { ask, type Asked, type AskFailure, member } from "./ask.ts";
import type { Report } from "./finding.ts";

const agents = ["Claude-User", "python-httpx/0.28.1", "openai-mcp/1.0.0"];
const urlMend =
  "Set SILVERBRIDGE_PUBLIC_URL to the address that clients use, and let the proxy or tunnel there lead to this server";

export async function checkReach(config: Config, report: Report): Promise<void> {
  const { publicUrl } = config;
  const first = await ask(`${publicUrl}/healthz`);
  if (!isOurs(first)) {
    const text = `The server is not reached by its public address: ${wordsOf(first)}`;
    return report({ check: "public-url", status: "fail", text, mend: mendOf(first) });
  }
  report({ check: "public-url", status: "ok", text: `The server is reached as ${publicUrl}` });
  checkClock(first, Date.now(), report);
  if (config.auth.length > 0) await checkChallenge(config, report);
  if (config.auth.includes("oauth")) await checkMetadata(publicUrl, report);
  await checkStrangers(config, report);
  await checkOrigins(config, report);
}

function isOurs(answer: Asked | AskFailure): answer is Asked {
  return "status" in answer && answer.status === 200 && member(answer.json, "ok") === true;
}

function wordsOf(answer: Asked | AskFailure): string {
  if ("status" in answer) {
    return answer.status >= 300 && answer.status < 400
      ? `it is sent elsewhere (status ${answer.status})`
      : `something else answers (status ${answer.status})`;
  }
  const words: Readonly<Record<AskFailure["failure"], string>> = {
    tls: "its certificate is not trusted, or it does not speak https",
    name: "its host name is not known",
    refused: "nothing accepts connections there",
    timeout: "no answer came within 10 seconds",
    broken: "the connection broke",
  };
  return words[answer.failure];
}

function mendOf(answer: Asked | AskFailure): string {
  if ("status" in answer) return urlMend;
  if (answer.failure === "tls") {
    return "Give the proxy or tunnel a certificate that browsers trust, with its whole chain";
  }
  if (answer.failure === "name") return "Make a DNS entry for the host, or correct SILVERBRIDGE_PUBLIC_URL";
  return `${urlMend}; a machine behind a router may not reach itself by its public name: then ask from elsewhere`;
}

/** Clocks that differ make tokens of an identity provider, and certificates, look too old or too new. */
export function checkClock(answer: Pick<Asked, "headers">, now: number, report: Report): void {
  const theirs = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return;
  const apart = Math.round(Math.abs(theirs - now) / 1000);
  if (apart <= 5) return report({ check: "clock", status: "ok", text: "The clocks agree" });
  report({
    ...{ check: "clock", status: apart > 60 ? "fail" : "warn" },
    text: `The clock of this machine and that of the server asked are ${apart} seconds apart`,
    mend: "Switch on time synchronisation on both: timedatectl set-ntp true",
  });
}

async function checkChallenge({ publicUrl, auth }: Config, report: Report): Promise<void> {
  const check = "authentication";
  const answer = await ask(`${publicUrl}/mcp`, listing());
  if (!("status" in answer) || answer.status !== 401) {
    const isHost = "status" in answer && answer.text.includes("host-not-allowed");
    return report({
      ...{ check, status: "fail" },
      text: isHost
        ? "The server does not take the host name that the proxy passes on"
        : `A call without credentials is not refused with 401: ${wordsOf(answer)}`,
      mend: isHost
        ? "Set SILVERBRIDGE_PUBLIC_URL to the address clients use, or add the name to SILVERBRIDGE_ALLOWED_HOSTS"
        : "Let the proxy pass on status and headers as they are, and no sign-in page of its own for /mcp",
    });
  }
  const challenge = answer.headers.get("www-authenticate") ?? "";
  const wanted = `${publicUrl}/.well-known/oauth-protected-resource`;
  if (auth.includes("oauth") && !challenge.includes(wanted)) {
    return report({
      ...{ check, status: "fail", text: "The refusal does not name the metadata of this address" },
      mend: "Let the proxy pass on WWW-Authenticate; restart the server after PUBLIC_URL was changed",
    });
  }
  report({ check, status: "ok", text: "A call without credentials is refused, with the way to get some" });
}

/** Both documents, as each of the big clients asks for them. */
async function checkMetadata(publicUrl: string, report: Report): Promise<void> {
  const check = "metadata";
  const documents: ReadonlyArray<readonly [path: string, name: string, value: string]> = [
    ["/.well-known/oauth-protected-resource/mcp", "resource", `${publicUrl}/mcp`],
    ["/.well-known/oauth-authorization-server", "issuer", publicUrl],
  ];
  for (const [path, name, value] of documents) {
    for (const agent of agents) {
      const answer = await ask(`${publicUrl}${path}`, { headers: { "user-agent": agent } });
      if ("status" in answer && answer.status === 200 && member(answer.json, name) === value) continue;
      const text = "status" in answer && answer.status === 200
        ? `The document ${path} speaks of another address`
        : `A client that calls itself ${agent} does not get ${path}: ${wordsOf(answer)}`;
      const mend =
        "Let the proxy, firewall or content network pass every path below /.well-known/ to this server, " +
        "whatever the user agent; restart the server after PUBLIC_URL was changed";
      return report({ check, status: "fail", text, mend });
    }
  }
  report({ check, status: "ok", text: "Claude and ChatGPT find out how to sign in" });
}

/** What counts as this very machine must not be reached through a proxy on it. */
async function checkStrangers(config: Config, report: Report): Promise<void> {
  const check = "proxy-is-no-operator";
  if (isLoopbackHost(new URL(config.publicUrl).hostname)) {
    return report({
      check,
      status: "skip",
      text: "The public address is this machine's own: no proxy is in between",
    });
  }
  for (const path of ["/metrics", "/roots"]) {
    const answer = await ask(`${config.publicUrl}${path}`);
    if (!("status" in answer) || answer.status !== 200) continue;
    return report({
      ...{
        check,
        status: "fail",
        text: `Whoever comes through the proxy is taken for this machine: ${path} answers anybody`,
      },
      mend: "Set SILVERBRIDGE_PUBLIC_MODE=on, or leave it out, and restart the server",
    });
  }
  report({ check, status: "ok", text: "Who comes through the proxy is not taken for this machine" });
}

async function checkOrigins({ publicUrl }: Config, report: Report): Promise<void> {
  const check = "origin";
  const stranger = await ask(`${publicUrl}/mcp`, listing({ origin: "https://stranger.example" }));
  const assistant = await ask(`${publicUrl}/mcp`, listing({ origin: "https://claude.ai" }));
  if ("status" in stranger && stranger.status !== 403) {
    return report({
      ...{ check, status: "fail", text: "A web page of anybody may send requests here" },
      mend: "Let the proxy pass on the Origin header as it is",
    });
  }
  if ("status" in assistant && assistant.status === 403) {
    return report({
      ...{ check, status: "fail", text: "Requests from Claude's web page are refused for their Origin" },
      mend: "Let the proxy pass on Host and Origin as they are",
    });
  }
  report({ check, status: "ok", text: "Web pages of strangers are refused, the assistants' are not" });
}

function listing(headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  };
}
