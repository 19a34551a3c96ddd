import type { AuctionHours } from "../auction/auction.ts";
import { closesAtMs } from "../auction/auction.ts";
import type { Bid } from "../bids/bid.ts";
import { addDays, isoTime } from "../day.ts";
import type { Mail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { BidSnapshot } from "../readiness/snapshot.ts";

/**
 * Tells an advertiser that the account's first bid of a day stands: whoever did
 * not place it learns of it while the auction is open.
 */
export function bidMail(
  { baseUrl, auctionHours }: Pick<Settings, "baseUrl" | "auctionHours">,
  { account, creative, grant }: Pick<
    BidSnapshot,
    "account" | "creative" | "grant"
  >,
  { day, amountCents }: Pick<Bid, "day" | "amountCents">,
): Mail {
  const by = grant === null
    ? "in the browser"
    : `by your agent "${grant.client.name}"`;
  const closes = closing(day, auctionHours);
  return {
    to: account.email,
    subject: `Your bid for ${day} stands`,
    text: `Hello,

A bid of your account for the Spotlight of ${day} was placed ${by}.

Amount: ${euros(amountCents)}
Advertisement: ${creative?.headline ?? ""}
On show if it wins: ${closes} to ${closing(addDays(day, 1), auctionHours)}

If it wins, your card is charged after the auction closes on ${closes}.
Until then the bid can be raised, but neither lowered nor withdrawn. Raises
are not mailed:

${baseUrl}${PAGES.bids}

To stop an agent, disconnect it. It can bid no more; this bid stays:

${baseUrl}${PAGES.agents}

If nobody of yours placed this bid, sign out everywhere, which also
disconnects every agent:

${baseUrl}${PAGES.account}
`,
  };
}

/** When the auction of a day closes: `2026-11-20 23:55 UTC`. */
function closing(day: Bid["day"], hours: AuctionHours): string {
  const [date, time = ""] = isoTime(closesAtMs(day, hours)).split("T");
  return `${date} ${time.slice(0, 5)} UTC`;
}

function euros(cents: number): string {
  const fraction = String(cents % 100).padStart(2, "0");
  return `EUR ${Math.trunc(cents / 100)}.${fraction}`;
}
