import type { Advertiser } from "../support/auction_world.ts";

/** Somebody who signed up. */
export interface Person {
  accountId: string;
  /** A word that is in every text of this person, and nowhere else. */
  canary: string;
  /** Of the e-mail address. */
  host: string;
  /** What the person bids with; null for a partner. */
  advertiser: Advertiser | null;
  /** The partner who is to be credited; null for nobody. */
  broughtBy: string | null;
}
