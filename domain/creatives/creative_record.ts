import { isoOrNull, isoTime } from "../day.ts";
import type { Creative, CreativeState } from "./creative.ts";

/** One's own creative as the agent API shows it. */
export interface CreativeRecord {
  ad_id: string;
  headline: string;
  description: string;
  target_url: string;
  state: CreativeState;
  /** The creative this one was made from as a new version; null for none. */
  revises: string | null;
  /** The newest creative that was made from this one; null for none. */
  revised_by: string | null;
  created_at: string;
  updated_at: string;
  submitted_at: string | null;
  reviewed_at: string | null;
  rejection: { policy_id: string; message: string; remedy: string } | null;
}

/** The members of a creative, and no others. */
export function toCreativeRecord(creative: Creative): CreativeRecord {
  const { createdAtMs, submittedAtMs, reviewedAtMs, rejection } = creative;
  return {
    ad_id: creative.adId,
    headline: creative.headline,
    description: creative.description,
    target_url: creative.targetUrl,
    state: creative.state,
    revises: creative.revises ?? null,
    revised_by: creative.revisedBy ?? null,
    created_at: isoTime(createdAtMs),
    updated_at: isoTime(creative.updatedAtMs ?? createdAtMs),
    submitted_at: isoOrNull(submittedAtMs),
    reviewed_at: isoOrNull(reviewedAtMs),
    rejection: rejection === undefined ? null : {
      policy_id: rejection.policyId,
      message: rejection.message,
      remedy: rejection.remedy,
    },
  };
}
