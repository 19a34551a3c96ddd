import { acceptedValue } from "../payments/accepted_value.ts";
import type { ProcessorTransfer } from "../payments/processor_partners.ts";
import type { Services, Transaction } from "../ports.ts";
import { type Month, monthOf, parseMonth } from "../month.ts";
import { newPayout, type Payout } from "./payout.ts";
import { emptyBalance, type PartnerBalance } from "./partner_balance.ts";
import { type PaidOut, withoutPayout, withReserved } from "./payout_balance.ts";
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
 * is made of what the transfer says, whatever else the backup says of the
 * partner: what is not booked here is payable, and would be paid once more.
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
  const named = namedBy(transfer);
  if (named === null) return;
  const overtakenId = await findOvertaken(services, named);
  const changed = await store.transact(async (tx) => {
    const [payout, found, account] = await tx.getMany([
      tx.payouts.ref(named.id),
      tx.partnerBalances.ref(named.partnerId),
      tx.accounts.ref(named.partnerId),
    ]);
    const { partnerId } = named;
    const balance = found ?? (account && emptyBalance(partnerId));
    if (balance === null) return null;
    const before = payout === null
      ? lostPayout(await withoutOvertaken(tx, balance, overtakenId), {
        named,
        transfer,
      })
      : { balance, payout };
    const after = await recordTransfer(tx, before, transfer, clock.now());
    if (after !== null) tx.payouts.save(after);
    return after;
  });
  if (changed === null) return;
  const { id, state, returnedCents } = changed;
  if (returnedCents === 0) log.info("payout.paid", { payout: id });
  else log.error("payout.returned", { payout: id, state });
}

/** What a transfer says of its payout. */
interface Named {
  id: string;
  partnerId: string;
  throughMonth: Month;
  requestedAtMs: number;
}

/** Null for a transfer that somebody made by hand. */
function namedBy({ metadata, createdAtMs }: ProcessorTransfer): Named | null {
  const { payout_id: id, account_id: partnerId } = metadata;
  const throughMonth = parseMonth(metadata["through_month"] ?? "");
  if (id === undefined || partnerId === undefined) return null;
  const requestedAtMs = Number(metadata["requested_at_ms"]) || createdAtMs;
  return {
    id,
    partnerId,
    throughMonth: throughMonth ?? monthOf(createdAtMs),
    requestedAtMs,
  };
}

/**
 * The payout that is open here and was over when the one that is not known was
 * asked for, since one is open at a time. Where the processor has its transfer,
 * that is booked first; where it has none, none was ever made: sent now, it would
 * be paid beside the one that took its place.
 */
async function findOvertaken(
  services: Services,
  { id, partnerId, requestedAtMs }: Named,
): Promise<string | null> {
  const { store, processor } = services;
  if (await store.payouts.find(id) !== null) return null;
  const balance = await store.partnerBalances.find(partnerId);
  const openId = balance?.openPayoutId ?? null;
  const open = openId === null ? null : await store.payouts.find(openId);
  if (open === null || open.requestedAtMs >= requestedAtMs) return null;
  const made = acceptedValue(
    services,
    "look for a transfer",
    await processor.findTransfer(open.id),
  );
  if (made === null) return open.id;
  await syncTransfer(services, made.id);
  return null;
}

/** The balance without the payout that was overtaken, which is ended. */
async function withoutOvertaken(
  tx: Transaction,
  balance: PartnerBalance,
  overtakenId: string | null,
): Promise<PartnerBalance> {
  if (overtakenId === null || balance.openPayoutId !== overtakenId) {
    return balance;
  }
  const payout = await tx.payouts.find(overtakenId);
  if (payout === null) return balance;
  const state = payout.state === "sending" ? "failed" : "canceled";
  const ended = withoutPayout({ balance, payout }, state);
  tx.payouts.save(ended.payout);
  return ended.balance;
}

/** The payout as it was asked for, made of what its transfer says. */
function lostPayout(
  balance: PartnerBalance,
  { named, transfer }: { named: Named; transfer: ProcessorTransfer },
): PaidOut {
  const { amountCents, destination, createdAtMs } = transfer;
  const payout = newPayout({
    ...named,
    amountCents,
    afterMonth: balance.paidThrough,
    destination,
    dueAtMs: createdAtMs,
  });
  return { balance: withReserved(balance, payout), payout };
}
