import { isoOrNull, isoTime } from "../day.ts";
import type { Erasure } from "./erasure.ts";

/** An erasure as an agent is told of it (contract §7.15). */
export interface ErasureRecord {
  /** `waiting`: for the user, who was mailed a link that confirms it. */
  status: "waiting" | "confirmed";
  requested_at: string;
  /** Until when the link is good. */
  confirm_until: string;
  /** When the account is erased; null until it is confirmed. */
  erase_at: string | null;
}

/** The erasure as it is told. */
export function erasureRecord(erasure: Erasure): ErasureRecord {
  return {
    status: erasure.state === "asked" ? "waiting" : "confirmed",
    requested_at: isoTime(erasure.askedAtMs),
    confirm_until: isoTime(erasure.confirmUntilMs),
    erase_at: isoOrNull(erasure.eraseAtMs),
  };
}
