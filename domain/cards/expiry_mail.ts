import type { PaymentMethod } from "../accounts/account.ts";
import { addDays, dayOf } from "../day.ts";
import type { Mail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import { brandName } from "./brand_name.ts";
import { cardEndsAtMs } from "./expiry.ts";

/** Tells an advertiser that the card its bids are charged to expires soon. */
export function expiryMail(
  to: string,
  card: PaymentMethod,
  baseUrl: string,
): Mail {
  const lastDay = addDays(dayOf(cardEndsAtMs(card)), -1);
  const name = `${brandName(card.brand)} card ending in ${card.last4}`;
  return {
    to,
    subject: `Your card for Spotlight expires on ${lastDay}`,
    text: `Hello,

your ${name} is the one that Spotlight charges when a bid of yours wins.
It expires on ${lastDay}. A bid that wins after that day could not be paid,
and the Spotlight would go to the next in line.

If your bank has sent you a new card, please save it here. It takes a minute:

${baseUrl}${PAGES.billing}

If you have done so already, or no longer bid, there is nothing to do.
`,
    html: null,
  };
}
