import { acceptedValue } from "../payments/accepted_value.ts";
import type { ProcessorTransfer } from "../payments/processor_partners.ts";
import type { Services } from "../ports.ts";
import { PAYOUT_MIN_CENTS } from "./limits.ts";
import type { Month } from "../month.ts";
import { newPayout, type Payout } from "./payout.ts";
import type { PartnerBalance } from "./partner_balance.ts";
import { type PaidOut, withPayout } from "./payout_balance.ts";
import { recordTransfer } from "./record_transfer.ts";

/** What is written on a transfer, so that its payout can be made of it. */
export function transferMetadata(
  { id, partnerId, throughMonth, requestedAtMs }: Payout,
): Record<string, string> {
  return {
    payout_id: id,
    account_id: partnerId,
    through_month: throughMonth,
    requested_at_ms: String(requestedAtMs),
  };
}

/**
 * Brings a payout in line with its transfer, made or taken back: the events'
 * verb. A payout that the store does not know, since it is of an older backup,
 * is made of what the transfer says.
 *
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncTransfer(
  services: Services,
  transferId: string,
): Promise<void> {
  const { processor, store, clock, log } = services;
  const transfer = acceptedValue(
    services,
    "look at a transfer",
    await processor.retrieveTransfer(transferId),
  );
  const { payout_id: payoutId, account_id: partnerId } = transfer.metadata;
  if (payoutId === undefined || partnerId === undefined) return;
  const changed = await store.transact(async (tx) => {
    const [payout, balance] = await tx.getMany([
      tx.payouts.ref(payoutId),
      tx.partnerBalances.ref(partnerId),
    ]);
    if (balance === null) return null;
    const before = payout === null
      ? adopted(balance, payoutId, transfer)
      : { balance, payout };
    if (before === null) return null;
    const after = await recordTransfer(tx, before, transfer, clock.now());
    if (after !== null) tx.payouts.save(after);
    return after;
  });
  if (changed === null) return;
  const { id, state, returnedCents } = changed;
  if (returnedCents === 0) log.info("payout.paid", { payout: id });
  else log.error("payout.returned", { payout: id, state });
}

/** Null where the balance can't be made to agree: a person has to look. */
function adopted(
  balance: PartnerBalance,
  id: string,
  { metadata, amountCents, destination, createdAtMs }: ProcessorTransfer,
): PaidOut | null {
  const { through_month, requested_at_ms } = metadata;
  const isOther = balance.openPayoutId !== null;
  if (through_month === undefined || isOther) return null;
  if (amountCents < PAYOUT_MIN_CENTS) return null;
  const payout = newPayout({
    id,
    partnerId: balance.partnerId,
    amountCents,
    throughMonth: through_month as Month,
    afterMonth: balance.paidThrough,
    requestedAtMs: Number(requested_at_ms) || createdAtMs,
    destination,
    dueAtMs: createdAtMs,
  });
  return { balance: withPayout(balance, payout), payout };
}
