/**
 * Everything of an account, page after page: what a copy is made of, and what an
 * erasure goes through.
 *
 * @module
 */
import type { PaymentMethod } from "../accounts/account.ts";
import type { Dispute } from "../disputes/dispute.ts";
import type { AccountEvent } from "../events/event.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { OutboxMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";

type Reader = Pick<Services, "store">;

/** Records that are held in memory at once. */
const PAGE = 200;
/** An account has 20 at most, and those that are being removed. */
const CARDS_MAX = 1_000;
/** Of all accounts: a dispute is rare, and few are ever listed. */
const DISPUTES_MAX = 50_000;

/** The cards of an account, those that are being removed among them. */
export function everyCard(
  { store }: Reader,
  accountId: string,
): Promise<PaymentMethod[]> {
  return store.listPaymentMethods(accountId, { limit: CARDS_MAX });
}

/** The invoices of an account, the newest first. */
export async function* everyInvoice(
  { store }: Reader,
  accountId: string,
): AsyncGenerator<Invoice> {
  let before: Invoice | null = null;
  for (;;) {
    const page: Invoice[] = await store.listInvoices(accountId, {
      limit: PAGE,
      before,
      reverse: true,
    });
    yield* page;
    before = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

/** The disputes of payments of an account. */
export async function everyDispute(
  { store }: Reader,
  accountId: string,
): Promise<Dispute[]> {
  const all = await store.listDisputes({ limit: DISPUTES_MAX });
  return all.filter((dispute) => dispute.accountId === accountId);
}

/** The events of an account, oldest first. */
export async function* everyEvent(
  { store }: Reader,
  accountId: string,
): AsyncGenerator<AccountEvent> {
  let after = 0;
  for (;;) {
    const page = await store.listEvents(accountId, { limit: PAGE, after });
    yield* page;
    after = page.at(-1)?.position ?? after;
    if (page.length < PAGE) return;
  }
}

/** The mails to an address, oldest first: the outbox has those of a week. */
export async function* everyMailTo(
  { store }: Reader,
  email: string,
): AsyncGenerator<OutboxMail> {
  let after: OutboxMail | null = null;
  for (;;) {
    const page: OutboxMail[] = await store.listMails({ limit: PAGE, after });
    yield* page.filter(({ to }) => to === email);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
