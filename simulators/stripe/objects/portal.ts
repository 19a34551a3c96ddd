/**
 * The billing portal, in its wire shape, and what is known of hosted pages.
 *
 * @module
 */

/** A customer's way into the billing portal. */
export type PortalSession = {
  id: string;
  object: "billing_portal.session";
  configuration: string;
  created: number;
  customer: string;
  customer_account: null;
  flow: null;
  livemode: false;
  locale: string | null;
  on_behalf_of: null;
  return_url: string | null;
  url: string;
};

/** A page for people; whoever knows its address may use it. */
export type HostedPage = {
  /** The secret in its address. */
  id: string;
  kind: "checkout" | "identity" | "onboarding" | "portal";
  /** What it is a page of. */
  subject: string;
  /** Epoch seconds from which it is of no more use. */
  expires_at: number;
  /** Where the payer goes back to. */
  return_url: string | null;
  /** Where another is made, once this one is of no more use. */
  refresh_url?: string;
};
