import type { Invoice } from "../invoices/invoice.ts";
import type { Mail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import { type Dispute, isBlocking, isLost } from "./dispute.ts";

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** What a mail tells of. */
type Standing = Pick<Dispute, "state" | "lostCents">;

/** What a mail says before and after the line that names its reason. */
interface Words {
  subject: string;
  before: string;
  after: string;
}

/** Which mail tells of a dispute's move; null where nothing is to be told. */
export function disputeMail(
  way: { from: Standing; to: Standing },
  to: string,
  { number, day }: Pick<Invoice, "number" | "day">,
  sender: Sender,
): Mail | null {
  const words = wordsAbout(way, sender);
  const about = `Invoice ${number}, Spotlight of ${day}`;
  return words && mailOf(to, words, about, sender);
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
  subject: "A payment of yours is disputed at your bank",
  before: "Your bank has taken back a payment to us, because it was disputed:",
  after: `\
Your account can't bid until the bank has decided. If you did not mean to
dispute the payment, tell your bank so: it can end the dispute. Bids of yours
that stand are void when their day settles, and nothing is charged for them.

Questions: ${email}`,
});

const lost = (email: string): Words => ({
  subject: "A disputed payment was decided against us",
  before:
    "Your bank has decided the dispute of this payment, and keeps the money:",
  after: `\
The advertisement was shown all the same, so your account can't bid until an
operator lifts the block. To have it lifted, write to ${email}.`,
});

const OVER: Words = {
  subject: "The dispute of your payment is over",
  before: "The dispute of this payment is over, and the payment stands:",
  after: "It no longer keeps your account from bidding.",
};

function mailOf(
  to: string,
  { subject, before, after }: Words,
  about: string,
  { baseUrl }: Sender,
): Mail {
  return {
    to,
    subject,
    text: `Hello,

${before}

  ${about}

${after}

${baseUrl}${PAGES.billing}
`,
  };
}
