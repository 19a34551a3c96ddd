import { assert, assertEquals } from "@std/assert";
import { syncCardSetup } from "../../../domain/cards/sync_card_setup.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { syncIdentity } from "../../../domain/identity/sync_identity.ts";
import { syncAccount } from "../../../domain/partners/sync_account.ts";
import { syncTransfer } from "../../../domain/partners/sync_transfer.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import {
  handlerOf,
  type SyncObject,
  WEBHOOK_HANDLERS,
} from "../../../domain/webhooks/handlers.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  EVENT_TYPES,
  type EventType,
  NO_EVENT_IS_MISSING,
} from "../../support/event_types.ts";

/** Every event that leads anywhere, and where; all others are forgotten. */
const DESTINATIONS = {
  "invoice.created": "saga",
  "invoice.deleted": "saga",
  "invoice.finalization_failed": "saga",
  "invoice.finalized": "saga",
  "invoice.marked_uncollectible": "saga",
  "invoice.overdue": "saga",
  "invoice.overpaid": "saga",
  "invoice.paid": "saga",
  "invoice.payment_action_required": "saga",
  "invoice.payment_attempt_required": "saga",
  "invoice.payment_failed": "saga",
  "invoice.payment_succeeded": "saga",
  "invoice.sent": "saga",
  "invoice.upcoming": "saga",
  "invoice.updated": "saga",
  "invoice.voided": "saga",
  "invoice.will_be_due": "saga",
  "payment_intent.amount_capturable_updated": "saga",
  "payment_intent.canceled": "saga",
  "payment_intent.created": "saga",
  "payment_intent.partially_funded": "saga",
  "payment_intent.payment_failed": "saga",
  "payment_intent.processing": "saga",
  "payment_intent.requires_action": "saga",
  "payment_intent.succeeded": "saga",
  "charge.dispute.closed": "saga",
  "charge.dispute.created": "saga",
  "charge.dispute.funds_reinstated": "saga",
  "charge.dispute.funds_withdrawn": "saga",
  "charge.dispute.updated": "saga",
  "refund.created": "refund",
  "refund.failed": "refund",
  "refund.updated": "refund",
  "identity.verification_session.canceled": "identity",
  "identity.verification_session.created": "identity",
  "identity.verification_session.processing": "identity",
  "identity.verification_session.redacted": "identity",
  "identity.verification_session.requires_input": "identity",
  "identity.verification_session.verified": "identity",
  "setup_intent.canceled": "card_setup",
  "setup_intent.created": "card_setup",
  "setup_intent.requires_action": "card_setup",
  "setup_intent.setup_failed": "card_setup",
  "setup_intent.succeeded": "card_setup",
  "checkout.session.async_payment_failed": "card_setup",
  "checkout.session.async_payment_succeeded": "card_setup",
  "checkout.session.completed": "card_setup",
  "checkout.session.expired": "card_setup",
  "transfer.created": "transfer",
  "transfer.reversed": "transfer",
  "transfer.updated": "transfer",
  "account.updated": "partner",
} as const satisfies Partial<Record<EventType, string>>;

const VERBS = new Map<SyncObject | null, string>([
  [syncInvoice, "saga"],
  [syncPayment, "saga"],
  [syncDispute, "saga"],
  [syncRefund, "refund"],
  [syncIdentity, "identity"],
  [syncCardSetup, "card_setup"],
  [syncTransfer, "transfer"],
  [syncAccount, "partner"],
]);

const destinationOf = (type: string) =>
  VERBS.get(handlerOf(WEBHOOK_HANDLERS, type)?.sync ?? null) ?? null;

Deno.test("every event of the pinned API version has one destination", () => {
  assert(NO_EVENT_IS_MISSING);
  const wanted: Readonly<Record<string, string>> = DESTINATIONS;
  for (const type of EVENT_TYPES) {
    assertEquals(destinationOf(type), wanted[type] ?? null, type);
  }
});

Deno.test("no event begins with two prefixes", () => {
  for (const type of EVENT_TYPES) {
    const fitting = WEBHOOK_HANDLERS.filter(({ prefix }) =>
      type.startsWith(prefix)
    );
    assert(fitting.length <= 1, type);
  }
});

Deno.test("a prefix ends with its dot: its lookalikes lead nowhere", () => {
  const lookalikes = [
    "invoice_payment.paid",
    "invoiceitem.created",
    "invoice",
    "Invoice.paid",
    "charge.succeeded",
    "charge.refund.updated",
    "shared_payment.granted_token.used",
    "",
  ];
  for (const type of lookalikes) assertEquals(destinationOf(type), null, type);
});
