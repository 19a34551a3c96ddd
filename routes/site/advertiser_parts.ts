import type { Services } from "../../domain/ports.ts";
import type { Job } from "../../domain/operations/run_job.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
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
  /** The background jobs, for an operator's look at them. */
  jobs: readonly Job[];
  /** Refreshed before an operator's page says that a Spotlight has changed. */
  records: Pick<PublicRecords, "refreshNow">;
}
