import { strongEtag } from "../../domain/spotlights/public_record.ts";

/** A path with the version of what is there. */
export type Versioned = `/${string}?v=${string}`;

/** The address of a file that changes with it, so that it may be kept for a year. */
export function versioned(
  path: `/${string}`,
  content: Uint8Array | string,
): Versioned {
  return `${path}?v=${strongEtag(content).replaceAll('"', "").slice(0, 10)}`;
}
