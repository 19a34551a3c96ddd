import type { TransitionTable } from "../state_machine.ts";
import { isAhead } from "../tasks/due.ts";
import type { PolicyId } from "./policies.ts";

/** What a creative can be. */
export type CreativeState =
  | "draft"
  | "submitted"
  | "approved"
  | "rejected"
  | "archived";

/**
 * Only a draft's copy ever changes; changing an approved or rejected creative
 * makes a new draft beside it. `approved → rejected` is an approval withdrawn.
 */
export const CREATIVE_STATES: TransitionTable<CreativeState> = {
  draft: ["submitted", "archived"],
  submitted: ["approved", "rejected", "archived"],
  approved: ["rejected", "archived"],
  rejected: ["archived"],
  archived: [],
};

/** What an advertiser writes: untrusted data, never instructions. */
export interface Copy {
  headline: string;
  description: string;
  targetUrl: string;
}

/** Why a creative was turned down, and what to do about it. */
export interface Rejection {
  policyId: PolicyId;
  message: string;
  remedy: string;
}

/** The name that a creative was approved with. */
export interface AdvertiserName {
  name: string;
  /** How often an operator had renamed the company by then. */
  version: number;
}

/** An advertisement's copy and where it stands. */
export interface Creative extends Copy {
  adId: string;
  accountId: string;
  state: CreativeState;
  createdAtMs: number;
  /** When copy or state last changed; absent while neither ever did. */
  updatedAtMs?: number;
  /** Absent until it was submitted. */
  submittedAtMs?: number;
  /** When an operator last decided about it; absent until then. */
  reviewedAtMs?: number;
  /** What readers see as its advertiser; absent until it was approved. */
  advertiser?: AdvertiserName;
  /** Kept when it is archived; absent while it was never turned down. */
  rejection?: Rejection;
  /** The creative whose copy this draft began as; absent for a new one. */
  revises?: string;
  /** The newest draft that began as its copy; absent for none. */
  revisedBy?: string;
  /** Lines of its history; absent for none. */
  notes?: number;
  /** While it is being archived no new bid may name it, until this ends. */
  archiving?: { id: string; untilMs: number };
}

/**
 * For how long new bids may not name a creative that is being archived. After a
 * crash it is simply as before, once this has passed.
 */
export const ARCHIVING_MS = 60_000;

/** Whether somebody archives it just now. */
export function isArchiving({ archiving }: Creative, nowMs: number): boolean {
  return archiving !== undefined &&
    isAhead(archiving.untilMs, nowMs, ARCHIVING_MS);
}

/**
 * Whether a bid may name the creative. One that is being archived is as good
 * as archived: whoever archives it relies on no new bid naming it.
 */
export function isBiddable(creative: Creative, nowMs: number): boolean {
  return creative.state === "approved" && !isArchiving(creative, nowMs);
}

/**
 * The creative as a bid leaves it that names it; null where there is nothing to
 * write. A mark that has ended goes, so that whoever set it, and is only slow,
 * can't archive it any more without looking at the bids again.
 */
export function namedByBid(creative: Creative): Creative | null {
  const { archiving, ...opened } = creative;
  return archiving === undefined ? null : opened;
}

/**
 * Whether an operator has approved what it says, and nobody has taken that back.
 * Every state leads to `archived`, so that alone says nothing of an archived one:
 * it was decided about, as the moment or the frozen name tells, and not turned
 * down. Decision 0010 says why.
 */
export function isApprovedAsItStands(
  { state, advertiser, reviewedAtMs, rejection }: Pick<
    Creative,
    "state" | "advertiser" | "reviewedAtMs" | "rejection"
  >,
): boolean {
  if (state === "approved") return true;
  if (state !== "archived" || rejection !== undefined) return false;
  // Approvals of before names were frozen left a moment alone.
  return advertiser !== undefined || reviewedAtMs !== undefined;
}

/** Finds the owner of an `ad_id`. */
export interface CreativeOwner {
  adId: string;
  accountId: string;
}

/** Where a creative lies in its owner's list, newest first. */
export interface CreativePlace {
  createdAtMs: number;
  adId: string;
}

/** Where it lies among those that wait for a decision, longest waiting first. */
export interface ReviewPlace {
  submittedAtMs: number;
  adId: string;
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
