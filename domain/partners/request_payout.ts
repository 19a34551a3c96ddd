import { isSuspended } from "../accounts/eligibility.ts";
import { type Answered, answerOnce, made } from "../idempotency/answer_once.ts";
import { StoreOnHold } from "../failure.ts";
import { isActiveHold } from "../hold/hold.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { emptyBalance } from "./partner_balance.ts";
import { newPayout } from "./payout.ts";
import { leastPayoutCents, payoutCents, withPayout } from "./payout_balance.ts";
import { type PayoutRecord, payoutRecord } from "./payout_record.ts";

/**
 * Asks for what is payable, all of it: the payout is sent from its row, by
 * whoever finds it due. One at a time, of EUR 50 at least, but
 * where the partnership has ended (docs/affiliate.md). A
 * suspended account goes on earning and is paid nothing until that is lifted.
 *
 * @throws {Refused} `payout_refused`; `partner_required` for who has no account
 * at the processor that can be paid; `idempotency_conflict`, and what
 * {@linkcode requireAuthority} refuses
 * @throws {StoreOnHold} while the store is on hold: what it calls payable may have
 * been paid since the backup
 */
export function requestPayout(
  { store, clock, ids }: Pick<Services, "store" | "clock" | "ids">,
  { partnerId, by, binding }: {
    partnerId: string;
    /** Who asks. */
    by: Authority;
    binding: Binding | null;
  },
): Promise<Answered<PayoutRecord>> {
  const id = ids.next("po"); // outside: attempts share it
  return store.transact((tx) => {
    const nowMs = clock.now();
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
    return answerOnce(tx, keeping, async () => {
      await requireAuthority(tx, by);
      const [account, partner, found, hold] = await tx.getMany([
        tx.accounts.ref(partnerId),
        tx.partners.ref(partnerId),
        tx.partnerBalances.ref(partnerId),
        tx.holds.ref(),
      ]);
      if (isActiveHold(hold)) throw new StoreOnHold();
      if (isSuspended(account)) {
        refuse({ code: "payout_refused", why: "suspended" });
      }
      const destination = partner?.connectedAccount ?? null;
      if (destination === null || !destination.payoutsEnabled) {
        refuse({ code: "partner_required" });
      }
      const balance = found ?? emptyBalance(partnerId);
      if (balance.openPayoutId !== null) {
        refuse({ code: "payout_refused", why: "open" });
      }
      const amountCents = payoutCents(balance);
      const { releasedThrough } = balance;
      const leastCents = leastPayoutCents(partner);
      if (amountCents < leastCents || releasedThrough === null) {
        return refuse({ code: "payout_refused", why: "too_little" });
      }
      const payout = newPayout({
        id,
        partnerId,
        amountCents,
        throughMonth: releasedThrough,
        afterMonth: balance.paidThrough,
        requestedAtMs: nowMs,
        destination: destination.id,
        dueAtMs: nowMs,
      });
      tx.payouts.save(payout);
      tx.partnerBalances.save(withPayout(balance, payout, leastCents));
      return made(payoutRecord(payout));
    });
  });
}
