/**
 * Every route of the simulated API.
 *
 * @module
 */

import { accountRoutes } from "./resources/accounts.ts";
import { balanceTransactionRoutes } from "./resources/balance_transactions.ts";
import { chargeRoutes } from "./resources/charges.ts";
import { checkoutSessionRoutes } from "./resources/checkout_sessions.ts";
import { creditNoteRoutes } from "./resources/credit_notes.ts";
import { customerRoutes } from "./resources/customers.ts";
import { disputeRoutes } from "./resources/disputes.ts";
import { eventRoutes } from "./resources/events.ts";
import { grantedTokenRoutes } from "./resources/granted_tokens.ts";
import { invoiceItemRoutes } from "./resources/invoice_items.ts";
import { invoicePaymentRoutes } from "./resources/invoice_payments.ts";
import { invoiceRoutes } from "./resources/invoices.ts";
import { paymentIntentRoutes } from "./resources/payment_intents.ts";
import { paymentMethodRoutes } from "./resources/payment_methods.ts";
import { portalSessionRoutes } from "./resources/portal_sessions.ts";
import { refundRoutes } from "./resources/refunds.ts";
import { setupIntentRoutes } from "./resources/setup_intents.ts";
import { taxIdRoutes } from "./resources/tax_ids.ts";
import { taxRateRoutes } from "./resources/tax_rates.ts";
import { transferRoutes } from "./resources/transfers.ts";
import { verificationSessionRoutes } from "./resources/verification_sessions.ts";
import { webhookEndpointRoutes } from "./resources/webhook_endpoints.ts";
import { Router } from "./route.ts";

/** Finds the route of a request. */
export const router: Router = new Router([
  ...accountRoutes,
  ...balanceTransactionRoutes,
  ...chargeRoutes,
  ...checkoutSessionRoutes,
  ...creditNoteRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...grantedTokenRoutes,
  ...invoiceItemRoutes,
  ...invoicePaymentRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...portalSessionRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...taxIdRoutes,
  ...taxRateRoutes,
  ...transferRoutes,
  ...verificationSessionRoutes,
  ...webhookEndpointRoutes,
]);
