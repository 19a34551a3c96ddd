import { readPublicUrl } from "../../fetching/public_url.ts";
import type { Settings } from "../../ports.ts";

/** Hosts of the developer's own machine. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

type Site = Pick<Settings, "authUrl" | "environment">;

/**
 * Whether a client id is the address of a metadata document: one that may be
 * fetched, and with a path of its own. On a developer's machine the document
 * may be on that machine too.
 */
export function isClientIdUrl(site: Site, text: string): boolean {
  const url = readDocumentUrl(site, text);
  return url !== null && url.pathname !== "/";
}

/**
 * Reads the address of a client's document, or of its keys. Port 443 alone: on
 * any other a request of ours may reach what was never meant for the web.
 */
export function readDocumentUrl(site: Site, text: string): URL | null {
  const allowLoopback = isLocalService(site);
  const url = readPublicUrl(text, { allowLoopback });
  return url !== null && (url.port === "" || allowLoopback) ? url : null;
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
  return environment === "development" && isLoopbackHost(new URL(authUrl));
}

/** Whether an address is on this machine. */
export function isLoopbackHost({ hostname }: URL): boolean {
  return LOOPBACK_HOST.test(hostname);
}
