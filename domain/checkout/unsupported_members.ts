/** The bodies of the checkout that take less than the protocol names. */
export type NarrowedBody = "create" | "update" | "item" | "cancel";

/**
 * What the protocol's schema names as optional and this shop takes none of: a
 * report has no address, no coupon and no buyer to be named, and the contract
 * allows no other members (§6.3, §6.5). It is said in the discovery document,
 * in /developers.md and in the refusal, so that nobody has to find out.
 */
export const UNSUPPORTED_MEMBERS: Readonly<
  Record<NarrowedBody, readonly string[]>
> = {
  create: [
    "buyer",
    "fulfillment_details",
    "fulfillment_groups",
    "affiliate_attribution",
    "coupons",
    "discounts",
    "locale",
    "timezone",
    "quote_id",
    "metadata",
    "order_notes",
  ],
  update: [
    "buyer",
    "fulfillment_details",
    "fulfillment_groups",
    "selected_fulfillment_options",
    "coupons",
    "discounts",
    "order_notes",
  ],
  item: ["name", "unit_amount"],
  cancel: ["intent_trace"],
};

/**
 * Which of the members that nobody asked for the protocol knows; only these are
 * ever repeated in a message.
 */
export function unsupportedAmong(keys: readonly string[]): string[] {
  const known = new Set(Object.values(UNSUPPORTED_MEMBERS).flat());
  return keys.filter((key) => known.has(key));
}
