import type { Day } from "../day.ts";

/** Cents a grant committed by bids accepted on one UTC day. */
export interface MandateUse {
  grantId: string;
  /** The UTC day on which the bids were placed, not the auction day. */
  day: Day;
  usedCents: number;
  expiresAtMs: number;
}
