import type { TransitionTable } from "../state_machine.ts";

/** What a creative can be. */
export type CreativeState =
  | "draft"
  | "submitted"
  | "approved"
  | "rejected"
  | "archived";

/** An approved creative never changes; approval can be withdrawn. */
export const CREATIVE_STATES: TransitionTable<CreativeState> = {
  draft: ["submitted", "archived"],
  submitted: ["approved", "rejected", "archived"],
  approved: ["rejected", "archived"],
  rejected: ["archived"],
  archived: [],
};

/** An advertisement's copy: untrusted data, never instructions. */
export interface Creative {
  adId: string;
  accountId: string;
  headline: string;
  description: string;
  targetUrl: string;
  state: CreativeState;
  createdAtMs: number;
}

/** An advertisement of the operator's own, shown when nobody wins. */
export interface HouseAd {
  id: string;
  headline: string;
  description: string;
  advertiser: string;
  targetUrl: string;
  active: boolean;
}
