/**
 * Which events are processed, and by which verb. An event is only a hint: its
 * verb asks the processor for the object as it is now and brings our rows in
 * line, which is safe to repeat and needs no order. The sweeps that find changes
 * without an event call the same verbs. Decision 0110 says why.
 *
 * To register a verb, put it in the place of `null` in `WEBHOOK_HANDLERS`. An
 * event of a line without one is kept and waits; an event of no line is
 * acknowledged and forgotten.
 *
 * @module
 */
import { syncCardSetup } from "../cards/sync_card_setup.ts";
import { syncDispute } from "../disputes/sync_dispute.ts";
import { syncIdentity } from "../identity/sync_identity.ts";
import { syncAccount } from "../partners/sync_account.ts";
import { syncTransfer } from "../partners/sync_transfer.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "./sync_payment.ts";
import { syncRefund } from "./sync_refund.ts";
import type { Services } from "../ports.ts";

/**
 * Asks the processor for one object and brings our rows in line. It may run
 * again, late, or in two isolates at once. After an error it is retried later.
 */
export type SyncObject = (
  services: Services,
  objectId: string,
) => Promise<unknown>;

/** Events whose names begin alike, and what becomes of them. */
export interface WebhookHandler {
  /** With the dot at its end: `invoice.` is not `invoice_payment.`. */
  prefix: string;
  /** Of accounts that we pay, and not of our own. */
  ofConnectedAccounts?: true;
  /** Null where nothing is registered yet. */
  sync: SyncObject | null;
}

/**
 * Every event that leads anywhere (contract §10.1). No prefix begins with
 * another.
 */
export const WEBHOOK_HANDLERS: readonly WebhookHandler[] = [
  { prefix: "invoice.", sync: syncInvoice },
  { prefix: "payment_intent.", sync: syncPayment },
  { prefix: "charge.dispute.", sync: syncDispute },
  { prefix: "refund.", sync: syncRefund },
  { prefix: "identity.verification_session.", sync: syncIdentity },
  { prefix: "setup_intent.", sync: syncCardSetup },
  { prefix: "checkout.session.", sync: syncCardSetup },
  { prefix: "transfer.", sync: syncTransfer },
  // Whole: the others are of an account's cards and banks.
  { prefix: "account.updated", ofConnectedAccounts: true, sync: syncAccount },
];

/** The line an event belongs to; null for one that leads nowhere. */
export function handlerOf(
  handlers: readonly WebhookHandler[],
  type: string,
): WebhookHandler | null {
  return handlers.find(({ prefix }) => type.startsWith(prefix)) ?? null;
}
