import { ACCESS_OPERATIONS } from "./access.ts";
import { ACCOUNT_OPERATIONS } from "./account.ts";
import { AFFILIATE_OPERATIONS } from "./affiliate.ts";
import { BID_OPERATIONS } from "./bids.ts";
import { BILLING_OPERATIONS } from "./billing.ts";
import { CREATIVE_OPERATIONS } from "./creatives.ts";
import { EVENT_OPERATIONS } from "./events.ts";
import { INVOICE_OPERATIONS } from "./invoices.ts";
import type { AgentOperation } from "./operation.ts";
import { PRIVACY_OPERATIONS } from "./privacy.ts";
import { REPORT_OPERATIONS } from "./reports.ts";

/**
 * Every operation of the agent API (contract §7.1), in the order in which tools
 * are listed and documents name them.
 */
export const AGENT_OPERATIONS: readonly AgentOperation[] = [
  ...ACCOUNT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...BID_OPERATIONS,
  ...CREATIVE_OPERATIONS,
  ...INVOICE_OPERATIONS,
  ...BILLING_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...PRIVACY_OPERATIONS,
  ...AFFILIATE_OPERATIONS,
];
