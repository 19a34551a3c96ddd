/**
 * The objects in the books, in their wire shape (API 2026-10-28.endive).
 * Members the simulator never fills are typed `null`, so that a reader sees
 * what it knows nothing about.
 *
 * @module
 */

import type { BalanceTransaction } from "./objects/balance.ts";
import type {
  ConnectedAccount,
  Transfer,
  TransferReversal,
} from "./objects/connect.ts";
import type { CreditNote } from "./objects/credit_note.ts";
import type { Customer, TaxId } from "./objects/customer.ts";
import type { Dispute } from "./objects/dispute.ts";
import type { VerificationSession } from "./objects/identity.ts";
import type {
  CardBehaviour,
  Charge,
  PaymentIntent,
  PaymentMethod,
  Refund,
} from "./objects/payment.ts";
import type { HostedPage, PortalSession } from "./objects/portal.ts";
import type { CheckoutSession, SetupIntent } from "./objects/setup.ts";
import type {
  GrantedToken,
  GrantedTokenUse,
} from "./objects/shared_payment.ts";
import type {
  Invoice,
  InvoiceItem,
  InvoicePayment,
  TaxRate,
} from "./objects/invoice.ts";

export type { Metadata } from "./metadata.ts";
export type * from "./objects/balance.ts";
export type * from "./objects/connect.ts";
export type * from "./objects/credit_note.ts";
export type * from "./objects/customer.ts";
export type * from "./objects/dispute.ts";
export type * from "./objects/identity.ts";
export type * from "./objects/invoice.ts";
export type * from "./objects/page.ts";
export type * from "./objects/payment.ts";
export type * from "./objects/portal.ts";
export type * from "./objects/setup.ts";
export type * from "./objects/shared_payment.ts";

/** The API version the simulator speaks unless a request names another. */
export const API_VERSION = "2026-10-28.endive";

/** Something that happened, as webhooks tell it. */
export type EventObject = {
  id: string;
  object: "event";
  /** Whose account it happened to, when not our own. */
  account?: string;
  api_version: string;
  created: number;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

/** An event that was lost on its way. */
export type LostEvent = {
  /** The event's id. */
  id: string;
};

/** Every kind of object the books hold, by the name of its table. */
export type Tables = {
  account: ConnectedAccount;
  balance_transaction: BalanceTransaction;
  card_behaviour: CardBehaviour;
  charge: Charge;
  checkout_session: CheckoutSession;
  credit_note: CreditNote;
  customer: Customer;
  dispute: Dispute;
  event: EventObject;
  granted_token: GrantedToken;
  granted_token_use: GrantedTokenUse;
  hosted_page: HostedPage;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  invoiceitem: InvoiceItem;
  lost_event: LostEvent;
  payment_intent: PaymentIntent;
  payment_method: PaymentMethod;
  portal_session: PortalSession;
  refund: Refund;
  setup_intent: SetupIntent;
  tax_id: TaxId;
  tax_rate: TaxRate;
  transfer: Transfer;
  transfer_reversal: TransferReversal;
  verification_session: VerificationSession;
};

/** Name of a table. */
export type TableName = keyof Tables;
