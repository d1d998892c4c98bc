/**
 * The redirect hosts of assistants that are in wide use, so that the page where the owner decides can say "Claude"
 * instead of a host that nobody has heard of. Being listed grants nothing.
 */

export interface KnownHost {
  readonly vendor: string;
  /**
   * Where the vendor's callback sends the browser on to. Browsers hold a page's `form-action` against every hop that
   * follows its form, so each has to be named there.
   */
  readonly onward: readonly string[];
}

const known: Readonly<Record<string, KnownHost>> = {
  "claude.ai": { vendor: "Claude (Anthropic)", onward: ["https://claude.com"] },
  "claude.com": { vendor: "Claude (Anthropic)", onward: ["https://claude.ai"] },
  "chatgpt.com": { vendor: "ChatGPT (OpenAI)", onward: ["https://*.openai.com"] },
  "cursor.com": { vendor: "Cursor", onward: ["https://www.cursor.com", "cursor:"] },
  "www.cursor.com": { vendor: "Cursor", onward: ["https://cursor.com", "cursor:"] },
  "vscode.dev": { vendor: "Visual Studio Code (Microsoft)", onward: ["vscode:", "vscode-insiders:"] },
  "insiders.vscode.dev": {
    vendor: "Visual Studio Code (Microsoft)",
    onward: ["vscode:", "vscode-insiders:"],
  },
  "grok.com": { vendor: "Grok (xAI)", onward: ["https://*.grok.com", "https://*.x.ai"] },
  "callback.mistral.ai": { vendor: "Le Chat (Mistral)", onward: ["https://*.mistral.ai"] },
  "www.perplexity.ai": { vendor: "Perplexity", onward: ["https://*.perplexity.ai"] },
};

/** `host` with its port, as in an address. */
export function knownHost(host: string): KnownHost | null {
  return Object.hasOwn(known, host) ? known[host] ?? null : null;
}
