/** Where the processor's own pages for people are. */
const STRIPE_PAGES: readonly string[] = [
  "https://checkout.stripe.com",
  "https://billing.stripe.com",
  "https://connect.stripe.com",
  "https://verify.stripe.com",
];

/**
 * The origins of the pages on which people save cards, manage them, show
 * documents and say where they are paid. Browsers have to be told them: a form of ours leads there.
 *
 * @param apiBase where a simulator listens; null for the processor itself
 */
export function hostedPageOrigins(apiBase: string | null): readonly string[] {
  return apiBase === null ? STRIPE_PAGES : [new URL(apiBase).origin];
}
