import type { Services } from "../../../domain/ports.ts";
import { accountTools } from "./account_tools.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { bidTools } from "./bid_tools.ts";
import { billingTools } from "./billing_tools.ts";
import { connectionTools } from "./connection_tools.ts";
import { creativeTools } from "./creative_tools.ts";
import { invoiceTools } from "./invoice_tools.ts";
import { passkeyTools } from "./passkey_tools.ts";
import { reportTools } from "./report_tools.ts";

/**
 * The tools of the advertiser server, one for each operation (contract §8.3):
 * the same verb, the same object, the same refusals.
 */
export function advertiserTools(services: Services): AdvertiserTool[] {
  return [
    ...accountTools(services),
    ...bidTools(services),
    ...creativeTools(services),
    ...invoiceTools(services),
    ...billingTools(services),
    ...reportTools(services),
    ...passkeyTools(services),
    ...connectionTools(services),
  ];
}
