import { type ShownWindow, windowText } from "../auction/auction.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import { type Dispute, isBlocking, isLost } from "./dispute.ts";

/** Where pages are, and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** The invoice that is disputed, and when the winner of its day is on show. */
type Disputed = Pick<Invoice, "number" | "day"> & { shown: ShownWindow };

/** What a mail tells of. */
type Standing = Pick<Dispute, "state" | "lostCents">;

/** The kinds that tell of a dispute. */
type DisputeMail = "dispute_opened" | "dispute_lost" | "dispute_over";

/** What a mail says before and after the invoice that it is about. */
interface Words {
  kind: DisputeMail;
  subject: string;
  before: string;
  after: string;
}

/** Which mail tells of a dispute's move; null where nothing is to be told. */
export function disputeMail(
  way: { from: Standing; to: Standing },
  to: string,
  invoice: Disputed,
  sender: Sender,
): MailContent<DisputeMail> | null {
  const words = wordsAbout(way, sender);
  return words && contentOf(to, words, invoice, sender);
}

function wordsAbout(
  { from, to: now }: { from: Standing; to: Standing },
  { seller }: Sender,
): Words | null {
  if (isLost(now)) return isLost(from) ? null : lost(seller.email);
  if (from.state === now.state && !isLost(from)) return null;
  if (now.state === "open") return opened(seller.email);
  return now.state === "won" || isBlocking(from) ? OVER : null;
}

const opened = (email: string): Words => ({
  kind: "dispute_opened",
  subject: "A payment of yours is disputed at your bank",
  before: "Your bank has taken back a payment to us, because it was disputed.",
  after: "Your account can't bid until the bank has decided. If you did not " +
    "mean to dispute the payment, tell your bank so: it can end the dispute. " +
    "A bid whose day settles before then can't win, and you pay nothing for " +
    "it; if the payment stands by then, the bid counts again. Questions? " +
    `Write to ${email}.`,
});

const lost = (email: string): Words => ({
  kind: "dispute_lost",
  subject: "A disputed payment was decided against us",
  before:
    "Your bank has decided the dispute of this payment, and keeps the money.",
  after: "The day was yours all the same, so your account can't bid until an " +
    "operator lifts the block. A bid whose day settles before then can't " +
    "win, and you pay nothing for it. To have the block lifted, write to " +
    `${email}.`,
});

const OVER: Words = {
  kind: "dispute_over",
  subject: "The dispute of your payment is over",
  before: "The dispute of this payment is over, and the payment stands.",
  after:
    "It no longer keeps your account from bidding, nor bids of yours that " +
    "stand from winning and being charged.",
};

function contentOf(
  to: string,
  { kind, subject, before, after }: Words,
  { number, day, shown }: Disputed,
  { baseUrl }: Sender,
): MailContent<DisputeMail> {
  return {
    kind,
    to,
    subject,
    parts: [
      before,
      {
        facts: [
          ["Invoice", number],
          ["Spotlight of", day],
          ["Shown", windowText(shown)],
        ],
      },
      after,
      { button: "See your payments", url: `${baseUrl}${PAGES.billing}` },
    ],
  };
}
