/**
 * What an account's owner asked for about its data: copies of it, and its
 * erasure. One row an account, so that a commit that reads it knows of all.
 *
 * @module
 */
import { DAY_MS } from "../day.ts";
import { type Erasure, erasureDueAtMs, standingErasure } from "./erasure.ts";
import { refuse } from "../refusal.ts";
import type { ReadTable } from "../tables.ts";
import { isDue } from "../tasks/due.ts";

/** For how long a copy can be read once it is ready. */
export const EXPORT_KEPT_MS = 7 * DAY_MS;
/** Copies an account may ask for within a day. */
export const EXPORTS_A_DAY = 3;
/**
 * Erasures an account may ask for within a day, those called off included: each
 * is mailed about, and the mail server takes so many of us in all.
 */
export const ERASURES_A_DAY = 5;
/** Copies of an account that lie ready: one more takes the oldest's place. */
export const EXPORTS_READY_MAX = 3;
/** Longer than preparing a copy, or one attempt at an erasure, takes. */
export const REQUEST_LEASE_MS = 5 * 60_000;

/** Where a section of a copy's document is, and what it has. */
export interface SectionPlace {
  section: string;
  /** Records; null for a section that is one value. */
  count: number | null;
  /** The stored part in which it begins. */
  part: number;
}

/** A copy of all that is kept of an account. */
export interface DataExport {
  id: string;
  /** The agent that asked; null for its owner, in a browser. */
  grantId: string | null;
  requestedAtMs: number;
  /** Null while it is prepared. */
  readyAtMs: number | null;
  /** Of the document, and the rows that it lies in; 0 before it is ready. */
  bytes: number;
  parts: number;
  /** Where its sections are; absent before it is ready. */
  sections?: readonly SectionPlace[];
  /** When it turned out to be larger than a copy may be: none is made. */
  failedAtMs?: number;
  expiresAtMs: number;
}

/** The requests of an account. */
export interface DataRequests {
  accountId: string;
  /** Those that can be read or are prepared, oldest first. */
  exports: readonly DataExport[];
  /** The erasure that was asked for; absent for none. */
  erasure?: Erasure;
  /**
   * When erasures were asked for within the last day, oldest first, those called
   * off included; absent for none.
   */
  erasuresAskedAtMs?: readonly number[];
  /** When something is to be done; during an attempt, when its lease ends. */
  dueAtMs: number | null;
  leaseOwner: string | null;
  /** Attempts in vain since one that was not. */
  failures: number;
  /** When the last copy is gone; null while something is to be done. */
  expiresAtMs: number | null;
}

/** A part of a copy's document, so large as a row can be. */
export interface ExportPart {
  exportId: string;
  index: number;
  bytes: Uint8Array<ArrayBuffer>;
  expiresAtMs: number;
}

/** The requests of an account, none if it never made one, as a check. */
export async function dataRequestsOf(
  { dataRequests }: {
    dataRequests: ReadTable<DataRequests, [accountId: string]>;
  },
  accountId: string,
): Promise<DataRequests> {
  return await dataRequests.find(accountId) ?? {
    accountId,
    exports: [],
    dueAtMs: null,
    leaseOwner: null,
    failures: 0,
    expiresAtMs: null,
  };
}

/** The copy that is being prepared; an account has one at most. */
export function preparedNow(
  { exports }: Pick<DataRequests, "exports">,
): DataExport | undefined {
  return exports.find(({ readyAtMs, failedAtMs }) =>
    readyAtMs === null && failedAtMs === undefined
  );
}

/** The ready copies that go when one more is ready, oldest first. */
export function copiesInTheWay(
  { exports }: Pick<DataRequests, "exports">,
): readonly DataExport[] {
  const ready = exports.filter(({ readyAtMs }) => readyAtMs !== null);
  return ready.slice(0, Math.max(0, ready.length - EXPORTS_READY_MAX + 1));
}

/** Whether a copy is there to be read, or will be. */
export function isLive(
  { expiresAtMs }: DataExport,
  nowMs: number,
): boolean {
  return expiresAtMs > nowMs;
}

/**
 * Refuses what was asked for so often within a day.
 *
 * @param askedAtMs when, oldest first
 * @throws {Refused} `rate_limited`
 */
export function refuseBeyondADay(
  askedAtMs: readonly number[],
  max: number,
  nowMs: number,
): void {
  const [oldest] = withinADay(askedAtMs, nowMs).slice(-max);
  const isFull = withinADay(askedAtMs, nowMs).length >= max;
  if (oldest === undefined || !isFull) return;
  const waitMs = oldest + DAY_MS - nowMs;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  refuse({ code: "rate_limited", retryAfterS, of: "account" });
}

function withinADay(askedAtMs: readonly number[], nowMs: number): number[] {
  return askedAtMs.filter((atMs) => nowMs - atMs < DAY_MS);
}

/** The requests with their next turn, and without those that are over. */
export function planned(requests: DataRequests, nowMs: number): DataRequests {
  const { erasure: _, erasuresAskedAtMs = [], ...rest } = requests;
  const exports = requests.exports.filter((each) => isLive(each, nowMs));
  const erasure = standingErasure(requests, nowMs);
  const asked = withinADay(erasuresAskedAtMs, nowMs);
  const after = {
    ...rest,
    exports,
    ...erasure !== null && { erasure },
    ...asked.length > 0 && { erasuresAskedAtMs: asked },
  };
  // Whoever works on them plans anew when done.
  if (after.leaseOwner !== null) return { ...after, expiresAtMs: null };
  const dueAtMs = preparedNow(after) === undefined
    ? erasureDueAtMs(erasure)
    : nowMs;
  const ends = exports.map(({ expiresAtMs }) => expiresAtMs);
  const until = erasure?.confirmUntilMs ?? nowMs;
  const counted = asked.map((atMs) => atMs + DAY_MS);
  const expiresAtMs = dueAtMs === null
    ? Math.max(nowMs, until, ...ends, ...counted)
    : null;
  return { ...after, dueAtMs, expiresAtMs };
}

/** Whether their turn has come, with leases and pauses by a clock that is right. */
export function isRequestDue(
  { dueAtMs, leaseOwner }: DataRequests,
  nowMs: number,
): boolean {
  const withinMs = leaseOwner === null ? EXPORT_KEPT_MS : REQUEST_LEASE_MS;
  return isDue(dueAtMs, nowMs, withinMs);
}
