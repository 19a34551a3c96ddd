import type { Account } from "../../domain/accounts/account.ts";
import type { CreativeState } from "../../domain/creatives/creative.ts";

/** An advertisement of a demo advertiser. */
export interface DemoAd {
  headline: string;
  description: string;
  /** Below the advertiser's own address. */
  path: string;
  /** `approved` unless said otherwise. */
  state?: CreativeState;
}

/** A made-up company and how far it has come with the service. */
export interface DemoAdvertiser
  extends Pick<Account, "company" | "vatStatus" | "identityStatus"> {
  email: string;
  /** The company's website, without a trailing slash. */
  site: string;
  /** The processor's test card that is saved for it. */
  testCard: string | null;
  /** What stands against a bid although everything is filled in. */
  trouble?: "suspended" | "disputes" | "card_refused";
  /** An agent holds a live grant with a mandate. */
  hasAgent?: true;
  /** It bid on past days until so many days ago; null: it never did. */
  lastBidDaysAgo: number | null;
  ads: readonly DemoAd[];
}
