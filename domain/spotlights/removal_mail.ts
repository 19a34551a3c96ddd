import { type ShownWindow, windowText } from "../auction/auction.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { Spotlight } from "./spotlight.ts";

/** Tells an advertiser that a Spotlight was removed, why, and whom to ask. */
export function removalMail(
  to: string,
  { day, headline, reason, shown }: Pick<Spotlight, "day" | "headline"> & {
    /** The operator's own words. */
    reason: string;
    shown: ShownWindow;
  },
  { baseUrl, seller }: Pick<Settings, "baseUrl" | "seller">,
): MailContent<"spotlight_removed"> {
  return {
    kind: "spotlight_removed",
    to,
    subject: `Your Spotlight of ${day} was removed`,
    parts: [
      "An operator has removed your Spotlight. It is shown nowhere any more.",
      {
        facts: [
          ["Ad", headline],
          ["Spotlight of", day],
          ["Shown", windowText(shown)],
        ],
      },
      "The operator wrote:",
      { quote: reason },
      "Its invoice stands, unless another mail says that money was given " +
      "back. If you think this is a mistake, write to " +
      `${seller.email}.`,
      { button: "See its report", url: `${baseUrl}${PAGES.reports}/${day}` },
    ],
  };
}
