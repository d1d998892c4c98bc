/** Client ID metadata documents: which identifiers name one, and what of its text counts. */

import { acceptableRedirects, type Client, metadataObject, refreshesBy, shownName } from "./client.ts";

const maxIdLength = 1024;

/**
 * True for an identifier that is the address of a document: https on the usual port, a name with a dot, a path, and
 * written exactly as a URL parser writes it, so that one document has one identifier.
 */
export function isDocumentId(id: string): boolean {
  if (id.length > maxIdLength || !id.startsWith("https://") || id.includes("#")) return false;
  const url = URL.parse(id);
  if (url === null || url.href !== id || url.username !== "" || url.password !== "" || url.port !== "") {
    return false;
  }
  const name = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(url.hostname);
  const path = url.pathname !== "/" &&
    !url.pathname.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  return name && path;
}

/** What is wrong with a document, for the log. */
export type DocumentProblem =
  | "no_object"
  | "other_client_id"
  | "no_name"
  | "no_redirect"
  | "grant_types_malformed"
  | "shared_secret"
  | "no_public_use";

/** The client that the document at `id` describes. */
export function readClientDocument(id: string, text: string): Client | DocumentProblem {
  const document = metadataObject(text);
  if (document === null) return "no_object";
  if (document["client_id"] !== id) return "other_client_id";
  const name = typeof document["client_name"] === "string" ? shownName(document["client_name"]) : "";
  if (name === "") return "no_name";
  const redirectUris = acceptableRedirects(document["redirect_uris"]);
  if (redirectUris === null || redirectUris.length === 0) return "no_redirect";
  const refreshes = refreshesBy(document["grant_types"]);
  if (refreshes === null) return "grant_types_malformed";
  const problem = authenticationProblem(document);
  if (problem !== null) return problem;
  const { hostname } = new URL(id);
  return { id, standing: "document", name, host: hostname, redirectUris, secretHash: null, refreshes };
}

/**
 * A public document cannot hold a secret. Some clients name a key of their own in the singular member and offer `none`
 * in the plural one: what either of them names counts.
 */
function authenticationProblem(document: Readonly<Record<string, unknown>>): DocumentProblem | null {
  if ("client_secret" in document) return "shared_secret";
  const one = document["token_endpoint_auth_method"];
  const several = document["token_endpoint_auth_methods_supported"];
  const methods = [one, ...(Array.isArray(several) ? several : [])].filter((each) =>
    typeof each === "string"
  );
  if (typeof one === "string" && one.startsWith("client_secret_")) return "shared_secret";
  return methods.length === 0 || methods.includes("none") ? null : "no_public_use";
}
