import type { Account, PaymentMethod } from "../accounts/account.ts";
import { queueOwnerMail } from "../accounts/owner_mails.ts";
import { addDays, dayOf } from "../day.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Services, Transaction } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { cardName } from "./brand_name.ts";
import { isUsable } from "./card.ts";
import { cardEndsAtMs, dueWarning, nextWarningMs } from "./expiry.ts";

/** Accounts of one run; the next run goes on from there. */
const RUN_MAX = 500;

/**
 * Mails whoever's default card expires in 30 or 7 days, once each. What was sent
 * is written on the card in the commit of the mail, so that neither a crash nor
 * a second isolate repeats it, and a card that is gone takes it along.
 */
export async function warnOfExpiry(services: Services): Promise<void> {
  const { store, clock, log } = services;
  await sweep(clock, {
    due: (nowMs) => store.listDue("cardWarnings", nowMs, { limit: RUN_MAX }),
    lanes: 4,
    attempt: ({ accountId }) => warn(services, accountId),
    failed: (_, error) =>
      log.info("card.warning_failed", { error: String(error) }),
  });
}

function warn(services: Services, accountId: string): Promise<void> {
  const { store, ids } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  return store.transact(async (tx) => {
    const [cardsState, account] = await tx.getMany([
      tx.wallets.ref(accountId),
      tx.accounts.ref(accountId),
    ]);
    if (cardsState === null) return;
    const cardId = account?.defaultPaymentMethodId ?? null;
    const card = cardId === null
      ? null
      : await tx.paymentMethods.find(accountId, cardId);
    const warnDueAtMs = account !== null && card !== null && isUsable(card)
      ? warnOf(services, tx, card, { mailId, account })
      : null;
    tx.wallets.save({ ...cardsState, warnDueAtMs });
  });
}

/**
 * Mails what is due now, unless its owner wants none, and answers when the next
 * warning is.
 */
function warnOf(
  services: Services,
  tx: Transaction,
  card: PaymentMethod,
  { mailId, account }: { mailId: string; account: Account },
): number | null {
  const { clock, settings } = services;
  const nowMs = clock.now();
  const days = dueWarning(card, nowMs);
  const warned = days === null ? card : { ...card, warnedDays: days };
  if (days !== null) {
    const content = expiryMail(account.email, card, settings.baseUrl);
    queueOwnerMail(services, tx, account, { mailId, content }, nowMs);
    tx.paymentMethods.save(warned);
  }
  const nextMs = nextWarningMs(warned);
  // One that was due before belongs to a card that has expired.
  return nextMs !== null && nextMs > nowMs ? nextMs : null;
}

/** Tells an advertiser that the card its bids are charged to expires soon. */
export function expiryMail(
  to: string,
  card: Pick<PaymentMethod, "brand" | "last4" | "expMonth" | "expYear">,
  baseUrl: string,
): MailContent<"card_expiry"> {
  const lastDay = addDays(dayOf(cardEndsAtMs(card)), -1);
  return {
    kind: "card_expiry",
    to,
    subject: `Your card for Spotlight expires on ${lastDay}`,
    parts: [
      `Your ${
        cardName(card)
      } is the one that Spotlight charges when a bid of ` +
      `yours wins. It expires on ${lastDay}. After that day a bid could not ` +
      "be paid, and so would not win.",
      "If your bank has sent you a new card, please save it. It takes a " +
      "minute.",
      { button: "Save a new card", url: `${baseUrl}${PAGES.billing}` },
      "If you have done so already, or no longer bid, there is nothing to do.",
    ],
  };
}
