import { strongEtag } from "../../domain/spotlights/public_record.ts";

/** The address of a file that changes with it, so that it may be kept for a year. */
export function versioned(path: string, content: Uint8Array | string): string {
  return `${path}?v=${strongEtag(content).replaceAll('"', "").slice(0, 10)}`;
}
