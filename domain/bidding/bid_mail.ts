import { shownWindow, windowText } from "../auction/auction.ts";
import type { Bid } from "../bids/bid.ts";
import { isoMinute } from "../day.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { BidSnapshot } from "../readiness/snapshot.ts";
import { showEuros } from "../text/euros.ts";

/**
 * Tells an advertiser that the account's first bid of a day stands: whoever did
 * not place it learns of it while the auction is open.
 */
export function bidMail(
  { baseUrl, auctionHours }: Pick<Settings, "baseUrl" | "auctionHours">,
  { account, creative, grant }: {
    account: Pick<BidSnapshot["account"], "email">;
    creative: Pick<NonNullable<BidSnapshot["creative"]>, "headline"> | null;
    grant: { client: { name: string } } | null;
  },
  { day, amountCents }: Pick<Bid, "day" | "amountCents">,
): MailContent<"bid_stands"> {
  const who = grant === null ? "You" : `Your agent "${grant.client.name}"`;
  const window = shownWindow(day, auctionHours);
  return {
    kind: "bid_stands",
    to: account.email,
    subject: `Your bid for ${day} stands`,
    parts: [
      `${who} bid for the Spotlight of ${day}, and the bid stands.`,
      {
        facts: [
          ["Amount", showEuros(amountCents)],
          ["Ad", creative?.headline ?? ""],
          ["Shown if it wins", windowText(window)],
          ["Auction closes", isoMinute(window.fromMs)],
        ],
      },
      "If it wins, your card is charged after the auction closes. Until then " +
      "the bid can be raised, of which we send no mail, but neither lowered " +
      "nor withdrawn.",
      { button: "See or raise your bid", url: `${baseUrl}${PAGES.bids}` },
      ...grant === null ? [] : [
        "To stop an agent, disconnect it. It can't bid any more then; this bid " +
        "stays.",
        { link: "Your agents", url: `${baseUrl}${PAGES.agents}` },
      ],
      "If neither you nor an agent of yours placed this bid, sign out " +
      "everywhere, which also disconnects every agent.",
      { link: "Your settings", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}
