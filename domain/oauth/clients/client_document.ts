import { hasShortHost } from "../../fetching/public_url.ts";
import type { Client, ClientAuthentication } from "../client.ts";
import { isLoopbackHost } from "./client_id_url.ts";
import { parseClientName } from "./client_name.ts";
import { type JsonObject, parseJsonObject } from "./json_object.ts";
import { parseJwks } from "./jwks.ts";
import { readRedirectUris } from "./redirect_uris.ts";

/** Addresses in a document that others would follow. */
const ADDRESSES = [
  "client_uri",
  "logo_uri",
  "tos_uri",
  "policy_uri",
  "jwks_uri",
];

/** What a document is checked against. */
export interface DocumentContext {
  /** Where it was fetched, which has to be what it says itself. */
  url: string;
  /** Whether http on this machine is as good as https. */
  local: boolean;
}

/**
 * Reads a client's metadata document. Null for whatever is wrong with it: a
 * faulty document is as good as none, and is not kept.
 */
export function parseClientDocument(
  text: string,
  context: DocumentContext,
): Client | null {
  const document = parseJsonObject(text);
  if (document === null || document.client_id !== context.url) return null;
  if (hasSecret(document) || !hasGoodAddresses(document, context)) return null;
  const name = parseClientName(document.client_name);
  const redirectUris = readRedirectUris(document.redirect_uris)?.kept ?? null;
  const authentication = authenticationOf(document);
  if (name === null || redirectUris === null || authentication === null) {
    return null;
  }
  const { host } = new URL(context.url);
  return { id: context.url, name, host, redirectUris, authentication };
}

function hasSecret(document: JsonObject): boolean {
  return Object.keys(document).some((key) => key.startsWith("client_secret"));
}

function hasGoodAddresses(
  document: JsonObject,
  { local }: DocumentContext,
): boolean {
  return ADDRESSES.every((key) => {
    const value = document[key];
    if (value === undefined) return true;
    if (typeof value !== "string" || !hasShortHost(value)) return false;
    const url = URL.parse(value);
    if (url === null) return false;
    return url.protocol === "https:" ||
      local && url.protocol === "http:" && isLoopbackHost(url);
  });
}

/**
 * A client that can also do without keys is a public one; one that only signs
 * has to sign.
 */
function authenticationOf(document: JsonObject): ClientAuthentication | null {
  const method = document.token_endpoint_auth_method ?? "none";
  const also = document.token_endpoint_auth_methods_supported ?? [];
  if (!Array.isArray(also)) return null;
  if (method === "none" || also.includes("none")) return { method: "none" };
  if (method !== "private_key_jwt") return null;
  const jwks = document.jwks === undefined ? null : parseJwks(document.jwks);
  if (document.jwks !== undefined && jwks === null) return null;
  const jwksUri = typeof document.jwks_uri === "string"
    ? document.jwks_uri
    : null;
  if ((jwks === null) === (jwksUri === null)) return null;
  return { method, jwks, jwksUri };
}
