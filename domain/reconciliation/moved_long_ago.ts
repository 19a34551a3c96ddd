import { refundFailureEntryId } from "../ledger/entry_ids.ts";
import type { Services } from "../ports.ts";
import type { ComparedMovement } from "./compare_movements.ts";
import type { Difference } from "./reconciliation.ts";

/** Payments and transfers that are looked at so; each is a few calls. */
const PAYMENTS_MAX = 50;

/** The refund that an entry is of, or whose failure. */
const OF_REFUND = /^refund(?:_failure)?:(.+)$/;

/** The entry of a payout to a partner, or of what came back of it. */
const OF_PAYOUT = /^payout(?:_reversal)?:/;

/** Entries of one payment that no listed movement matches. */
type Sought = ReadonlyMap<string, readonly string[]>;

/**
 * What the processor has moved of the payments and transfers of some entries, as
 * those say themselves: its list of movements is read so far back and no further,
 * and what a restored store had lost may be booked much later than it moved.
 *
 * @throws {TemporaryFailure} when the processor does not answer
 */
export async function movedLongAgo(
  services: Pick<Services, "processor">,
  differences: readonly Difference[],
): Promise<ComparedMovement[]> {
  const sought = [...soughtIn(differences)].slice(0, PAYMENTS_MAX);
  const found: ComparedMovement[] = [];
  for (const [paymentId, entryIds] of sought) {
    found.push(
      ...await takenBy(services, paymentId),
      ...await paidOutBy(services, paymentId, entryIds),
    );
    for (const entryId of entryIds) {
      found.push(...await refundedBy(services, entryId));
    }
  }
  return found;
}

function soughtIn(differences: readonly Difference[]): Sought {
  const sought = new Map<string, string[]>();
  for (const one of differences) {
    if (one.kind !== "not_moved" || one.paymentId === null) continue;
    const { paymentId, entryId } = one;
    sought.set(paymentId, [...sought.get(paymentId) ?? [], entryId]);
  }
  return sought;
}

/** The charge of a payment, and what banks took of it and brought back. */
async function takenBy(
  { processor }: Pick<Services, "processor">,
  paymentId: string,
): Promise<ComparedMovement[]> {
  const asked = await processor.retrievePayment(paymentId);
  if (!asked.ok || asked.value.status !== "succeeded") return [];
  const { amountReceivedCents: amountCents } = asked.value;
  const disputes = await processor.listDisputesOf(paymentId);
  const charge: ComparedMovement = {
    id: paymentId,
    type: "charge",
    sourceId: paymentId,
    paymentId,
    amountCents,
  };
  const taken = (disputes.ok ? disputes.value : []).flatMap(
    ({ id: sourceId, movements }) =>
      movements.map((movement) => ({
        ...movement,
        type: "dispute" as const,
        sourceId,
        paymentId,
      })),
  );
  return [charge, ...taken];
}

/** A payout to a partner and what came back of it, where entries are of those. */
async function paidOutBy(
  { processor }: Pick<Services, "processor">,
  transferId: string,
  entryIds: readonly string[],
): Promise<ComparedMovement[]> {
  if (!entryIds.some((id) => OF_PAYOUT.test(id))) return [];
  const asked = await processor.retrieveTransfer(transferId);
  if (!asked.ok) return [];
  const { id: paymentId, amountCents, reversals } = asked.value;
  return [
    {
      id: paymentId,
      type: "transfer",
      sourceId: paymentId,
      paymentId,
      amountCents: -amountCents,
    },
    ...reversals.map(({ id, amountCents }) => ({
      id,
      type: "transfer_reversal" as const,
      sourceId: id,
      paymentId,
      amountCents,
    })),
  ];
}

/** The refund that an entry is of, and that it came back; none for others. */
async function refundedBy(
  { processor }: Pick<Services, "processor">,
  entryId: string,
): Promise<ComparedMovement[]> {
  const id = OF_REFUND.exec(entryId)?.[1];
  if (id === undefined) return [];
  const asked = await processor.retrieveRefund(id);
  if (!asked.ok) return [];
  const { paymentId, amountCents, hasFailed } = asked.value;
  const about = { id, sourceId: id, paymentId };
  const isFailure = entryId === refundFailureEntryId(id);
  if (!isFailure) {
    return [{ ...about, type: "refund", amountCents: -amountCents }];
  }
  return hasFailed ? [{ ...about, type: "refund_failure", amountCents }] : [];
}
