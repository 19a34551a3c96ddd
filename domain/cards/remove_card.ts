import { listLiveDays } from "../bids/list_live_bids.ts";
import type { Day } from "../day.ts";
import { Contention, TemporaryFailure } from "../failure.ts";
import {
  type Answered,
  answerOnce,
  findReplay,
} from "../idempotency/answer_once.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isCardId, isUsable } from "./card.ts";
import { type CardsNow, changeCards, saveCards } from "./change_cards.ts";
import { decideRemoval, removed, type RemovedCard } from "./decide_removal.ts";
import { detachCard } from "./detach_card.ts";
import { withCards } from "./with_cards.ts";

/** Which card is taken away, and by which request. */
export interface RemoveCard {
  accountId: string;
  paymentMethodId: string;
  /** Who asks. */
  by: Authority;
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
}

/** How soon the job decides about a removal that a crash left behind. */
const LEFT_BEHIND_MS = 60_000;

/**
 * Takes a card away: first no new bid may name it, then it is found out whether
 * one stands on it, and only then its row goes. Another card becomes the
 * default in its place. The processor is asked to let go of it afterwards, by a
 * row of the same commit. Decision 0150 says why.
 *
 * @throws {Refused} `payment_method_not_found`, another account's included;
 * `card_of_live_bid` while a bid stands on it; `idempotency_conflict`; and what
 * {@linkcode requireAuthority} refuses
 */
export async function removeCard(
  services: Services,
  input: RemoveCard,
): Promise<Answered<RemovedCard>> {
  const { store } = services;
  const { paymentMethodId } = input;
  const before = await store.transact((tx) => removedBefore(tx, input));
  if (before !== null) return before;
  await refuseIfLive(services, input);
  const meanwhile = await begin(services, input);
  if (meanwhile !== null) return meanwhile;
  const decision = await decideRemoval(services, paymentMethodId);
  switch (decision.kind) {
    case "kept":
      return refuseLive(input, decision.days);
    case "waits":
      return await refuseIfLive(services, input) ?? tryAgain();
    case "none":
      return tryAgain();
    case "gone":
      await detachNow(services, paymentMethodId);
      return await bound(services, input);
  }
}

function refuseLive(
  { paymentMethodId }: RemoveCard,
  days: readonly Day[],
): never {
  refuse({ code: "card_of_live_bid", paymentMethodId, days });
}

/** Another request kept the card, or its bids have just been settled. */
function tryAgain(): never {
  throw new Contention("The card was kept meanwhile");
}

/** Refuses before the card is hidden, so that it need not be shown again. */
async function refuseIfLive(
  services: Services,
  input: RemoveCard,
): Promise<null> {
  const { accountId, paymentMethodId } = input;
  const days = await listLiveDays(services, { accountId, paymentMethodId });
  if (days.length > 0) refuseLive(input, days);
  return null;
}

/** What a repeat is told; null for a request that is new. */
function removedBefore(
  tx: Transaction,
  { binding }: RemoveCard,
): Promise<Answered<RemovedCard> | null> {
  return findReplay<RemovedCard>(tx, binding);
}

/** What a repeat is told; null once the card is being taken away. */
function begin(
  services: Services,
  input: RemoveCard,
): Promise<Answered<RemovedCard> | null> {
  const { accountId, paymentMethodId } = input;
  if (!isCardId(paymentMethodId)) {
    refuse({ code: "payment_method_not_found", paymentMethodId });
  }
  return changeCards(services, accountId, () => async (tx, now) => {
    const before = await removedBefore(tx, input);
    if (before !== null) return before;
    await requireAuthority(tx, input.by);
    await hide(services, tx, now, input);
    return null;
  });
}

async function hide(
  { clock }: Services,
  tx: Transaction,
  now: CardsNow,
  { accountId, paymentMethodId: id, binding }: RemoveCard,
): Promise<void> {
  const row = await tx.paymentMethods.find(accountId, id);
  if (row === null) {
    refuse({ code: "payment_method_not_found", paymentMethodId: id });
  }
  // Another request has begun, and this one goes on with it.
  if (!isUsable(row)) return;
  const nowMs = clock.now();
  const ending = { ...row, endingSinceMs: nowMs };
  tx.paymentMethods.save(ending);
  const cards = now.cards.map((card) => card.id === id ? ending : card);
  const { defaultPaymentMethodId } = withCards(now.account, cards, {});
  const isDefault = now.account.defaultPaymentMethodId === id;
  const account = { ...now.account, defaultPaymentMethodId };
  saveCards(tx, now, { ...now, account, cards });
  tx.cardRemovals.save({
    paymentMethodId: id,
    accountId,
    origin: "user",
    state: "checking",
    ...isDefault && { replacedBy: defaultPaymentMethodId },
    binding,
    dueAtMs: nowMs + LEFT_BEHIND_MS,
    failures: 0,
    expiresAtMs: null,
  });
}

/** Detaches at once; if that fails, the job does it later. */
async function detachNow(services: Services, id: string): Promise<void> {
  try {
    await detachCard(services, id);
  } catch (error) {
    if (!(error instanceof TemporaryFailure)) throw error;
    services.log.info("card.detach_later", { error: error.name });
  }
}

/** The key of a request that joined another's is bound as well. */
function bound(
  { store, clock }: Services,
  { paymentMethodId, binding }: RemoveCard,
): Promise<Answered<RemovedCard>> {
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
    const say = () => removed(paymentMethodId);
    return { ...await answerOnce(tx, keeping, say), replayed: false };
  });
}
