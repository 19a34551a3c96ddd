import type { Day } from "../day.ts";
import type { Store } from "../ports.ts";
import { nameLeft } from "./erase_bids.ts";

/**
 * Takes a person's name from a settled Spotlight whose account was erased before:
 * once it was asked of the account's last name instead of the one that is shown,
 * and the form of a sole trader counted as a company's.
 */
export async function eraseLeftName(
  { store }: { store: Pick<Store, "transact"> },
  { day }: { day: Day },
): Promise<void> {
  await store.transact(async (tx) => {
    const spotlight = await tx.spotlights.find(day);
    if (spotlight === null || spotlight.accountId === null) return;
    const erased = await tx.erasedAccounts.find(spotlight.accountId);
    if (erased === null) return;
    // Of which country the company was is erased, too.
    const advertiser = nameLeft(spotlight, null);
    if (advertiser === spotlight.advertiser) return;
    tx.spotlights.save({ ...spotlight, advertiser });
    tx.touchSpotlights();
  });
}
