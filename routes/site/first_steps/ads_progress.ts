import type { Store } from "../../../domain/ports.ts";

/** Advertisements among which the furthest one is looked for. */
const CREATIVES_MAX = 100;

/** How far the account's advertisements are. */
export type AdsProgress =
  | "approved"
  | "submitted"
  | "rejected"
  | "draft"
  | "none";

/** The furthest that any of an account's advertisements is. */
export async function readAdsProgress(
  store: Pick<Store, "listNewestCreatives">,
  accountId: string,
): Promise<AdsProgress> {
  const creatives = await store.listNewestCreatives(accountId, {
    limit: CREATIVES_MAX,
    before: null,
  });
  const order = ["approved", "submitted", "rejected", "draft"] as const;
  return order.find((state) =>
    creatives.some((creative) => creative.state === state)
  ) ?? "none";
}
