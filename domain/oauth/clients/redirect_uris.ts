import { redirectUriProblem } from "../redirect_uri.ts";

/** How many redirect addresses a client may have. */
const REDIRECT_URIS_MAX = 10;

/** An address that a client named and codes are not sent to. */
export interface DroppedRedirectUri {
  redirectUri: string;
  /** Goes on after "it": "must be https …". */
  reason: string;
}

/**
 * Reads the redirect addresses of a client. Some clients name one of a scheme
 * of their own (`cursor:`) beside good ones: it is dropped, as RFC 7591 §2
 * allows, and the client goes on with the others. Null for what is no list of
 * 1 to 10 texts, and when none of them can be used.
 */
export function readRedirectUris(value: unknown): {
  kept: string[];
  dropped: DroppedRedirectUri[];
} | null {
  if (!Array.isArray(value) || value.length > REDIRECT_URIS_MAX) return null;
  if (!value.every((each) => typeof each === "string")) return null;
  const kept: string[] = [];
  const dropped: DroppedRedirectUri[] = [];
  for (const redirectUri of new Set<string>(value)) {
    const reason = redirectUriProblem(redirectUri);
    if (reason === null) kept.push(redirectUri);
    else dropped.push({ redirectUri, reason });
  }
  return kept.length > 0 ? { kept, dropped } : null;
}
