import type { Account } from "../../domain/accounts/account.ts";
import type { Settlement } from "../../domain/settlement/settlement.ts";
import type { Bid, BidEvent } from "../../domain/bids/bid.ts";
import { type Day, parseDay } from "../../domain/day.ts";
import { unmetClient } from "../../tools/demo/unmet_client.ts";
import type { Grant } from "../../domain/oauth/grant.ts";
import type { JobRun } from "../../domain/operations/job_run.ts";
import type { Store } from "../../domain/ports.ts";
import type { SandboxJob } from "../../domain/sandbox/job.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";

/** A day written in a test. */
export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === null) throw new TypeError(`Cannot read day "${text}"`);
  return parsed;
}

/** One effect, in a row and in a count, on 2026-11-20. */
export function bump(
  store: Pick<Store, "transact">,
  beforeCommit = () => {},
): Promise<void> {
  return store.transact(async (tx) => {
    const run = await tx.jobRuns.find("a");
    beforeCommit();
    tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
    tx.bidCounts.add(1, day("2026-11-20"));
  });
}

/** The simplest record there is: a name and a number. */
export function jobRun(name: string, lastSuccessMs = 0): JobRun {
  return { name, lastSuccessMs };
}

/** A record that expires. */
export function sandboxJob(jobId: string, expiresAtMs: number): SandboxJob {
  return { jobId, createdAtMs: 0, expiresAtMs };
}

/** A record with an index row under another family's key. */
export function account(id: string, email: string): Account {
  return {
    id,
    email,
    createdAtMs: 0,
    company: null,
    vatStatus: "unverified",
    identityStatus: "unverified",
    suspendedAtMs: null,
    disputeOpen: false,
    cardRefused: false,
    partner: false,
    paidWins: 0,
    processorCustomerId: null,
    defaultPaymentMethodId: null,
  };
}

/** A grant without a mandate. */
export function grant(id: string, accountId: string): Grant {
  return {
    id,
    accountId,
    clientId: "client",
    client: unmetClient("client"),
    scopes: ["bids:read"],
    resources: ["agent"],
    mandate: null,
    lines: [{ id, resources: ["agent"], begunAtMs: 0, refresh: null }],
    refresh: null,
    createdAtMs: 0,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}

/** A settlement without candidates. */
export function settlement(
  onDay: Day,
  state: Settlement["state"] = "running",
): Settlement {
  return {
    day: onDay,
    state,
    candidates: [],
    createdAtMs: 0,
    dueAtMs: 0,
    attempts: 0,
    leaseOwner: null,
    leaseUntilMs: 0,
  };
}

/** An active bid. */
export function bid(onDay: Day, accountId: string, amountCents = 100): Bid {
  return {
    id: `bid_${onDay}_${accountId}`,
    day: onDay,
    accountId,
    adId: "ad",
    amountCents,
    status: "active",
    placedAtMs: 0,
    paymentMethodId: "pm",
    grantId: null,
  };
}

/** One line of a bid's history. */
export function bidEvent(bidId: string, amountCents: number): BidEvent {
  return {
    bidId,
    day: day("2026-11-20"),
    accountId: "acc",
    kind: "placed",
    adId: "ad",
    amountCents,
    atMs: 0,
    grantId: null,
  };
}

/** A house advertisement's day. */
export function spotlight(onDay: Day): Spotlight {
  return {
    day: onDay,
    headline: "H",
    description: "D",
    advertiser: "A",
    targetUrl: "https://example.com/",
    contentType: "house_advertisement",
    accountId: null,
    adId: null,
    settledAtMs: 0,
    removedAtMs: null,
    removalReason: null,
  };
}
