import type { Invoice } from "../invoices/invoice.ts";
import { type Mail, textMail } from "../mail/outbox_mail.ts";
import type { Settings } from "../ports.ts";
import { PAGES } from "../pages.ts";
import { type Dispute, isBlocking, isLost } from "./dispute.ts";

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** What a mail tells of. */
type Standing = Pick<Dispute, "state" | "lostCents">;

/** Which mail tells of a dispute's move; null where nothing is to be told. */
export function disputeMail(
  { from, to: now }: { from: Standing; to: Standing },
  to: string,
  invoice: Pick<Invoice, "number" | "day">,
  sender: Sender,
): Mail | null {
  if (isLost(now)) return isLost(from) ? null : lostMail(to, invoice, sender);
  if (from.state === now.state && !isLost(from)) return null;
  if (now.state === "open") return openedMail(to, invoice, sender);
  const isOver = now.state === "won" || isBlocking(from);
  return isOver ? overMail(to, invoice, sender) : null;
}

function openedMail(
  to: string,
  invoice: Pick<Invoice, "number" | "day">,
  { baseUrl, seller }: Sender,
): Mail {
  return textMail(
    to,
    "A payment of yours is disputed at your bank",
    `Hello,

your bank has taken back a payment to us, because it was disputed:

${about(invoice)}

Your account can't bid until the bank has decided. If you did not mean to
dispute the payment, tell your bank so: it can end the dispute. Bids of yours
that stand are void when their day settles, and nothing is charged for them.

Questions: ${seller.email}

${baseUrl}${PAGES.billing}
`,
  );
}

function lostMail(
  to: string,
  invoice: Pick<Invoice, "number" | "day">,
  { baseUrl, seller }: Sender,
): Mail {
  return textMail(
    to,
    "A disputed payment was decided against us",
    `Hello,

your bank has decided the dispute of this payment, and keeps the money:

${about(invoice)}

The advertisement was shown all the same, so your account can't bid until an
operator lifts the block. To have it lifted, write to ${seller.email}.

${baseUrl}${PAGES.billing}
`,
  );
}

function overMail(
  to: string,
  invoice: Pick<Invoice, "number" | "day">,
  { baseUrl }: Sender,
): Mail {
  return textMail(
    to,
    "The dispute of your payment is over",
    `Hello,

the dispute of this payment is over, and the payment stands:

${about(invoice)}

It no longer keeps your account from bidding.

${baseUrl}${PAGES.billing}
`,
  );
}

/** Tells an owner that a lost dispute no longer blocks the account. */
export function blockLiftedMail(
  to: string,
  { reason, isBlocked }: { reason: string; isBlocked: boolean },
  { baseUrl }: Sender,
): Mail {
  const rest = isBlocked
    ? "Another dispute is still open, so it can't bid until that is decided."
    : "It can bid again as soon as nothing else stands in the way.";
  return textMail(
    to,
    "Your Spotlight account is no longer blocked",
    `Hello,

an operator has lifted the block that a lost dispute left on your account:

  ${reason}

${rest}

${baseUrl}${PAGES.billing}
`,
  );
}

function about({ number, day }: Pick<Invoice, "number" | "day">): string {
  return `  Invoice ${number}, Spotlight of ${day}`;
}
