import type { Account } from "../accounts/account.ts";
import type { BidStatus } from "../bids/bid.ts";
import type { CreativeState } from "../creatives/creative.ts";
import type { Scope } from "../oauth/grant.ts";

/** How things stand in a rehearsal for whoever names a certain creative. */
export interface Scene {
  creative?: CreativeState;
  account?: Partial<Account>;
  scopes?: readonly Scope[];
  mandate?: "missing" | "expired";
  /** What becomes of the bid when its day settles; it wins if left out. */
  settles?: Exclude<BidStatus, "active">;
  /** What becomes of a request to bid. */
  bid?: "lost_answer" | "rate_limited";
}

/** When a VAT registry that is down is asked again in rehearsals. */
const VAT_ASKED_AGAIN_MS = Date.parse("2025-01-01T18:00:00.000Z");

/** The VAT id of the made-up company. */
export const PRACTICE_VAT_ID = "DE123456789";

/**
 * The creatives there are in every rehearsal. All but the first stand for
 * something that may be in the way of a bid, so that an agent meets it by
 * naming them. docs/developers.md has the same as a table.
 */
export const PRACTICE_SCENES: Readonly<Record<string, Scene>> = {
  ad_practice: {},
  ad_practice_draft: { creative: "draft" },
  ad_practice_submitted: { creative: "submitted" },
  ad_practice_rejected: { creative: "rejected" },
  ad_practice_archived: { creative: "archived" },
  ad_practice_onboarding_incomplete: { account: { company: null } },
  ad_practice_vat_unverified: { account: { vatStatus: "invalid" } },
  ad_practice_vat_registry_down: {
    account: {
      vatStatus: "unverified",
      vatCheck: {
        vatId: PRACTICE_VAT_ID,
        outcome: null,
        atMs: null,
        consultation: null,
        failures: 1,
        dueAtMs: VAT_ASKED_AGAIN_MS,
      },
    },
  },
  ad_practice_identity_unverified: {
    account: { identityStatus: "unverified" },
  },
  ad_practice_no_payment_method: { account: { defaultPaymentMethodId: null } },
  ad_practice_card_refused: { account: { cardRefused: true } },
  ad_practice_dispute_open: { account: { disputeOpen: true } },
  ad_practice_suspended: { account: { suspendedAtMs: 1 } },
  ad_practice_scope_missing: {
    scopes: ["account:read", "bids:read", "creatives:read"],
  },
  ad_practice_mandate_missing: { mandate: "missing" },
  ad_practice_mandate_expired: { mandate: "expired" },
  ad_practice_lost: { settles: "lost" },
  ad_practice_payment_failed: { settles: "payment_failed" },
  ad_practice_void: { settles: "void" },
  ad_practice_lost_answer: { bid: "lost_answer" },
  ad_practice_rate_limited: { bid: "rate_limited" },
};

const NO_SCENE: Scene = {};

/** What a creative stands for. */
export function sceneOf(adId: string | null): Scene {
  const scene = adId === null || !Object.hasOwn(PRACTICE_SCENES, adId)
    ? undefined
    : PRACTICE_SCENES[adId];
  return scene ?? NO_SCENE;
}
