import { listLiveDays } from "../bids/list_live_bids.ts";
import type { Day } from "../day.ts";
import { done, type Said, storeAnswer } from "../idempotency/answer_once.ts";
import { IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { CARD_REMOVAL_EDGES, type CardRemoval } from "./card_removal.ts";
import { isRefused } from "./card.ts";
import { type CardsNow, changeCards, saveCards } from "./change_cards.ts";
import { withCards } from "./with_cards.ts";

/** What became of a card that was to be taken away. */
export type RemovalDecision =
  | { kind: "gone" }
  /** Bids of these days stand on it, so it stays. */
  | { kind: "kept"; days: readonly Day[] }
  /** It is gone at the processor, and its row stays until they are settled. */
  | { kind: "waits" }
  /** Nobody is taking it away any more. */
  | { kind: "none" };

/** How soon the bids on a card that is gone at the processor are checked again. */
const CHECKED_AGAIN_MS = 3_600_000;

/** What is said of a card that was taken away. */
export interface RemovedCard {
  id: string;
  removed: true;
}

/** Says that a card was taken away. */
export function removed(paymentMethodId: string): Said<RemovedCard> {
  return done({ id: paymentMethodId, removed: true });
}

/**
 * Decides about a card that no new bid may name any more. That is what makes
 * the list of bids complete: a bid that was placed before is in it, and none
 * comes after. Safe to run twice and in two isolates.
 */
export async function decideRemoval(
  services: Services,
  paymentMethodId: string,
): Promise<RemovalDecision> {
  const removal = await services.store.cardRemovals.find(paymentMethodId);
  if (removal === null) return { kind: "none" };
  if (removal.state !== "checking") return { kind: "gone" };
  const { accountId } = removal;
  const days = await listLiveDays(services, { accountId, paymentMethodId });
  const removing = { paymentMethodId, days };
  return await changeCards(
    services,
    accountId,
    () => (tx, now) => decide(services, tx, now, removing),
  );
}

async function decide(
  { clock }: Services,
  tx: Transaction,
  now: CardsNow,
  { paymentMethodId, days }: { paymentMethodId: string; days: Day[] },
): Promise<RemovalDecision> {
  const removal = await tx.cardRemovals.find(paymentMethodId);
  if (removal === null) return { kind: "none" };
  if (removal.state !== "checking") return { kind: "gone" };
  const nowMs = clock.now();
  if (days.length === 0) {
    await finish(tx, now, removal, nowMs);
    return { kind: "gone" };
  }
  if (removal.origin === "processor") {
    tx.cardRemovals.save({ ...removal, dueAtMs: nowMs + CHECKED_AGAIN_MS });
    return { kind: "waits" };
  }
  await abortRemoval(tx, now, removal);
  return { kind: "kept", days };
}

/** Deletes the card's row, chooses a default anew and lets the processor detach it. */
async function finish(
  tx: Transaction,
  now: CardsNow,
  removal: CardRemoval,
  nowMs: number,
): Promise<void> {
  const { accountId, paymentMethodId: id, binding } = removal;
  const row = await tx.paymentMethods.find(accountId, id);
  if (row !== null) tx.paymentMethods.remove(row);
  const cards = now.cards.filter((card) => card.id !== id);
  const wasDefault = removal.replacedBy !== undefined;
  // A card removed at the processor resolves nothing: a bid may just have failed.
  const resolved = removal.origin === "user" &&
    (wasDefault || (row !== null && isRefused(row)));
  const account = withCards(now.account, cards, { resolved });
  saveCards(tx, now, { ...now, account, cards });
  const state = advance(CARD_REMOVAL_EDGES, removal.state, "detaching");
  tx.cardRemovals.save({ ...removal, state, binding: null, dueAtMs: nowMs });
  const keptMs = IDEMPOTENCY_LONG_MS;
  storeAnswer(tx, { binding, nowMs, keptMs }, removed(id));
}

/**
 * Aborts the removal: restores the card, as the default if it was, unless the
 * user has chosen another default since, or a bid on it was refused meanwhile and
 * there is another: a choice of that one would be undone.
 */
async function abortRemoval(
  tx: Transaction,
  now: CardsNow,
  removal: CardRemoval,
): Promise<void> {
  const { accountId, paymentMethodId: id, replacedBy } = removal;
  tx.cardRemovals.remove(removal);
  const row = await tx.paymentMethods.find(accountId, id);
  if (row === null) return;
  const { endingSinceMs: _, ...kept } = row;
  tx.paymentMethods.save(kept);
  const cards = now.cards.map((card) => card.id === id ? kept : card);
  const isUntouched = replacedBy !== undefined &&
    now.account.defaultPaymentMethodId === replacedBy;
  const restored = isUntouched && !isRefused(kept)
    ? { ...now.account, defaultPaymentMethodId: id }
    : now.account;
  const account = withCards(restored, cards, {});
  saveCards(tx, now, { ...now, account, cards });
}
