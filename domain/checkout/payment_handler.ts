import type { Merchant } from "./merchant.ts";

/** The one way to pay: a shared payment token for a card. */
export const HANDLER_ID = "card_spt";
/** The kind of instrument that pays (contract §6.4). */
export const INSTRUMENT_TYPE = "card";
/** Its credential: a shared payment token (contract §6.4). */
export const CREDENTIAL_TYPE = "spt";

/** Where what the handler names is published, below `{base_url}`. */
export const HANDLER_PATHS = {
  spec: `/docs/acp/${HANDLER_ID}`,
  configSchema: `/schemas/acp/${HANDLER_ID}.config.json`,
  instrumentSchema: `/schemas/acp/${HANDLER_ID}.instrument.json`,
} as const;

/** Cards that are taken. */
export const ACCEPTED_BRANDS = ["visa", "mastercard", "amex"] as const;
/** Kinds of cards that are taken. */
export const ACCEPTED_FUNDING_TYPES = ["credit", "debit", "prepaid"] as const;

/** How to pay, as an agent is told: PaymentHandler of the protocol. */
export function paymentHandler(
  merchant: Merchant,
  baseUrl: string,
): Record<string, unknown> {
  return {
    id: HANDLER_ID,
    name: "dev.acp.tokenized.card",
    display_name: "Card",
    version: "2026-01-22",
    spec: `${baseUrl}${HANDLER_PATHS.spec}`,
    requires_delegate_payment: true,
    requires_pci_compliance: false,
    psp: "stripe",
    config_schema: `${baseUrl}${HANDLER_PATHS.configSchema}`,
    instrument_schemas: [`${baseUrl}${HANDLER_PATHS.instrumentSchema}`],
    config: {
      merchant_id: merchant.profileId,
      psp: "stripe",
      accepted_brands: ACCEPTED_BRANDS,
      accepted_funding_types: ACCEPTED_FUNDING_TYPES,
      environment: merchant.environment,
    },
  };
}
