import { compareBids } from "../bids/bid.ts";
import type { Bid } from "../bids/bid.ts";
import type { Day } from "../day.ts";
import { noticeBidders } from "../events/day_notice.ts";
import { invariant } from "../invariant.ts";
import { SETTLEMENT_CANDIDATES_MAX } from "../limits.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { type Auction, PHASES } from "../auction/auction.ts";
import { refuseUnlessBegun } from "./agreed_time.ts";
import { type Candidate, newCandidate, type Settlement } from "./settlement.ts";

/** More bids than this in one day are beyond what one ranking reads. */
const BIDS_PER_DAY_MAX = 100_000;

/**
 * Closes the day's auction, freezes its ranking and leaves the settlement to be
 * worked on; a repeat returns what stands. Every bid's commit checks the row
 * written here, so the ranking read afterwards is complete.
 *
 * @throws {Refused} `auction_not_closable` for a day nobody opened,
 * `day_not_begun`
 */
export async function closeAuction(
  services: Services,
  input: { day: Day },
): Promise<Auction> {
  const { day } = input;
  const standing = await services.store.auctions.find(day);
  if (standing === null) {
    refuse({ code: "auction_not_closable", day, phase: "IDLE" });
  }
  if (standing.phase === "OPEN") {
    await refuseUnlessBegun(services, day, "close");
  }
  const auction = await freezeRanking(services, day);
  if (auction.settledAtMs === null) await beginSettlement(services, day);
  return auction;
}

function freezeRanking(services: Services, day: Day): Promise<Auction> {
  return services.store.transact(async (tx) => {
    const now = services.clock.now();
    const auction = await tx.auctions.find(day);
    invariant(auction !== null, `${day} was opened`);
    if (auction.phase === "CLOSED") return auction;
    advance(PHASES, auction.phase, "CLOSED");
    const closed: Auction = { ...auction, phase: "CLOSED", closedAtMs: now };
    tx.auctions.save(closed);
    tx.noteChange({ before: { phase: "OPEN" }, after: { phase: "CLOSED" } });
    noticeBidders(tx, day, "closed", now);
    return closed;
  });
}

/** Writes the saga's row, once; after a crash before it, the next call does. */
async function beginSettlement(services: Services, day: Day): Promise<void> {
  const { store, clock, log } = services;
  if (await store.settlements.find(day) !== null) return;
  const bids = await store.listBids(day, { limit: BIDS_PER_DAY_MAX });
  invariant(bids.length < BIDS_PER_DAY_MAX, `${day} has too many bids to rank`);
  const ranked = rankCandidates(bids, clock.now());
  const isFirst = await store.transact(async (tx) => {
    if (await tx.settlements.find(day) !== null) return false;
    tx.settlements.save(newSettlement(day, ranked, clock.now()));
    return true;
  });
  if (isFirst) log.info("auction.closed", { day, bids: bids.length });
}

/** The best five bids as candidates, best first. */
export function rankCandidates(
  bids: readonly Bid[],
  nowMs: number,
): Candidate[] {
  return bids
    .filter((bid) => bid.status === "active")
    .sort(compareBids)
    .slice(0, SETTLEMENT_CANDIDATES_MAX)
    .map((bid) => newCandidate(bid, nowMs));
}

function newSettlement(
  day: Day,
  candidates: readonly Candidate[],
  nowMs: number,
): Settlement {
  return {
    day,
    state: "running",
    candidates,
    createdAtMs: nowMs,
    dueAtMs: nowMs,
    attempts: 0,
    leaseOwner: null,
    leaseUntilMs: 0,
  };
}
