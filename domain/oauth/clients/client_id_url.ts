import type { Settings } from "../../ports.ts";

/** Longest address of a metadata document. */
const CLIENT_ID_MAX = 512;

/** Checked as it came: a browser's parser would repair it first. */
const SHAPE = /^https:\/\/([a-z0-9.-]+)(:\d{1,5})?(\/[!-~]+)$/;
const LOOPBACK_SHAPE =
  /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?(\/[!-~]+)$/;
/** Backslashes, fragments and what the parser drops or encodes. */
const FORBIDDEN = /[\\#"<>^`{|}]/;
/** Names of machines that are nobody's on the internet. */
const PRIVATE_HOST =
  /(^|\.)(localhost|local|internal|localdomain|home\.arpa|test|invalid|onion)$/;

type Site = Pick<Settings, "authUrl" | "environment">;

/**
 * Whether a client id is the address of a metadata document: https, a public
 * name, a path without dot segments, spelled the one way it is fetched. On a
 * developer's machine the document may be on that machine too.
 */
export function isClientIdUrl(site: Site, text: string): boolean {
  if (text.length > CLIENT_ID_MAX || FORBIDDEN.test(text)) return false;
  const [, host] = SHAPE.exec(text) ?? [];
  const named = host !== undefined ? isPublicName(host) : isLocal(site, text);
  return named && !hasDotSegment(text) && isCanonical(text);
}

/** Whether this is how a client id that is an address begins. */
export function looksLikeUrl(clientId: string): boolean {
  return clientId.includes(":");
}

/** The host of a client id that is an address. */
export function hostOfClientId(clientId: string): string {
  return new URL(clientId).host;
}

/** Whether the service itself runs on the developer's machine. */
export function isLocalService({ authUrl, environment }: Site): boolean {
  const { hostname } = new URL(authUrl);
  return environment === "development" &&
    (hostname === "localhost" || hostname === "127.0.0.1" ||
      hostname === "[::1]");
}

function isLocal(site: Site, text: string): boolean {
  return LOOPBACK_SHAPE.test(text) && isLocalService(site);
}

/** Dotted, not all numbers (an address in disguise), not private. */
function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return labels.length > 1 && labels.every(isLabel) && /^[a-z]/.test(last) &&
    !PRIVATE_HOST.test(host);
}

function isLabel(label: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}

function hasDotSegment(text: string): boolean {
  return /\/(\.|%2e){1,2}(?=[/?]|$)/i.test(text);
}

function isCanonical(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === text;
}
