import type { Services } from "../ports.ts";
import type { Creative, CreativePlace } from "./creative.ts";

/** Which part of an account's creatives is wanted. */
export interface ListOwnCreatives {
  accountId: string;
  limit: number;
  /** Where the part before this one ended; null for the first. */
  before: CreativePlace | null;
}

/**
 * An account's own creatives, newest first, archived ones among them. A part
 * begins where the one before ended, whatever was made meanwhile.
 */
export function listOwnCreatives(
  { store }: Pick<Services, "store">,
  { accountId, limit, before }: ListOwnCreatives,
): Promise<Creative[]> {
  return store.listNewestCreatives(accountId, { limit, before });
}
