import type { Account } from "../../accounts/account.ts";
import { eligibilityReasons } from "../../accounts/eligibility.ts";
import type { Creative } from "../../creatives/creative.ts";
import type { Settlement } from "../settlement.ts";
import { voidBid } from "./pass_over.ts";
import { heldSettlement, type Saga, type Turn, withCandidate } from "./saga.ts";

/**
 * Looks at the candidate again at the moment of charging: creatives, accounts
 * and cards are not frozen with the ranking. Who no longer qualifies is passed
 * over as `void`; the copy of who does is kept as it is now.
 */
export function recheck(saga: Saga, turn: Turn): Promise<Settlement> {
  const { store, clock, settings } = saga.services;
  const { accountId, adId, paymentMethodId } = turn.candidate;
  return store.transact(async (tx) => {
    const settlement = await heldSettlement(saga, tx);
    const [bid, account, creative, card] = await tx.getMany([
      tx.bids.ref(saga.day, accountId),
      tx.accounts.ref(accountId),
      tx.creatives.ref(accountId, adId),
      tx.paymentMethods.ref(accountId, paymentMethodId),
    ]);
    const pass = (note: string) => voidBid(saga, tx, settlement, turn, note);
    if (bid?.status !== "active") return await pass("the bid is not active");
    if (account === null) return await pass("the account is gone");
    if (creative === null) return await pass("the creative is gone");
    if (creative.state !== "approved") {
      return await pass(`the creative is ${creative.state}`);
    }
    if (card === null) return await pass("the card is gone");
    const [reason] = eligibilityReasons(account, settings);
    if (reason !== undefined) return await pass(reason);
    if (account.processorCustomerId === null) {
      return await pass("the account has no customer at the processor");
    }
    const moved = withCandidate(settlement, turn, {
      step: "creating",
      customerId: account.processorCustomerId,
      copy: copyOf(account, creative),
    }, clock.now());
    tx.settlements.save(moved);
    return moved;
  });
}

function copyOf(account: Account, creative: Creative) {
  return {
    headline: creative.headline,
    description: creative.description,
    advertiser: account.company?.name ?? "",
    targetUrl: creative.targetUrl,
  };
}
