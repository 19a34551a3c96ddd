import { actAs } from "../audit/act_as.ts";
import type { ActBy } from "../audit/operator_act.ts";
import type { Services } from "../ports.ts";
import { noteErased } from "../privacy/erase_again.ts";
import { type Release, releaseStore } from "./release_store.ts";

/**
 * Releases the store for an operator. The audit has a line of the release, and one
 * of each account that it names as erased, by which that account's page and whoever
 * looks for its id find who said so.
 */
export function orderRelease(
  services: Services,
  { by, acknowledged, erased }: {
    by: ActBy;
    acknowledged: readonly string[];
    erased: readonly string[];
  },
): Promise<Release> {
  const note = (accountId: string) =>
    actAs(
      services,
      { by, act: "account.erase_again", subject: accountId },
      (noting) => noteErased(noting, accountId),
    );
  return actAs(
    services,
    { by, act: "store.release", subject: null },
    (acting) => releaseStore(acting, { acknowledged, erased, note }),
  );
}
