import { type Answered, answerOnce, done } from "../idempotency/answer_once.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import type { Services, Transaction } from "../ports.ts";
import { humanStepsRefusal } from "../pages.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isCardId, isRefused, isUsable } from "./card.ts";
import { type CardRecord, toCardRecord } from "./card_record.ts";
import {
  type CardsNow,
  changeCards,
  isSameAccount,
  saveCards,
} from "./change_cards.ts";
import { withChosen } from "./with_cards.ts";

/**
 * Makes a saved card the one that raises and bids without a named card are
 * charged to. Bids that stand keep theirs. Choosing a card ends `card_refused`,
 * also the one that is the default already: another may be what was refused. A
 * card that was refused can't be chosen.
 *
 * @throws {Refused} `payment_method_not_found`, another account's included;
 * `human_step_required` for a refused card; `idempotency_conflict`; and what
 * {@linkcode requireAuthority} refuses
 */
export function setDefaultCard(
  { store, clock }: Pick<Services, "store" | "clock">,
  input: {
    accountId: string;
    paymentMethodId: string;
    /** Who asks. */
    by: Authority;
    binding: Binding | null;
  },
): Promise<Answered<CardRecord>> {
  const { accountId, paymentMethodId, by, binding } = input;
  if (!isCardId(paymentMethodId)) {
    refuse({ code: "payment_method_not_found", paymentMethodId });
  }
  return changeCards({ store }, accountId, () => (tx, now) => {
    const nowMs = clock.now();
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
    return answerOnce(tx, keeping, async () => {
      await requireAuthority(tx, by);
      return done(await choose(tx, now, paymentMethodId));
    });
  });
}

async function choose(
  tx: Transaction,
  now: CardsNow,
  id: string,
): Promise<CardRecord> {
  const { account, cards } = now;
  const card = await tx.paymentMethods.find(account.id, id);
  if (card === null || !isUsable(card)) {
    refuse({ code: "payment_method_not_found", paymentMethodId: id });
  }
  if (isRefused(card)) refuse(humanStepsRefusal(["card_refused"]));
  const after = withChosen(account, cards, id);
  if (!isSameAccount(account, after)) {
    saveCards(tx, now, { ...now, account: after });
  }
  return toCardRecord(card, true);
}
