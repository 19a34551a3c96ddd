import type { Services } from "../../domain/ports.ts";
import type { EventWork } from "../../domain/webhooks/process_events.ts";
import type { RateLimits } from "../middleware/rate_limit.ts";
import type { SignedCookie } from "../middleware/signed_cookie.ts";

/** What the pages of advertisers are made of. */
export interface AdvertiserParts extends RateLimits {
  services: Services;
  /** The signed cookie of a website session (contract §9.7). */
  sessionCookie: SignedCookie;
  /** Origins of the processor's own pages, which forms of ours lead to. */
  hostedPages: readonly string[];
  /** What processing an event takes, for an operator's retry. */
  eventWork: EventWork;
}
