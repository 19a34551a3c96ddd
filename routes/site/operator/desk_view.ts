import type { Hold } from "../../../domain/hold/hold.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Count } from "../ui/counts.tsx";
import { ACCOUNTS_PATH } from "./accounts_page.tsx";
import { MONEY_PATH } from "./money_surface.tsx";
import { REVIEW_PATH } from "./review_page.tsx";

/** So many of each are counted; of more there is said that there are more. */
const COUNTED_MAX = 100;
/** Days whose comparison with the processor is looked at. */
export const COMPARED_DAYS = 31;

/** What waits for an operator. */
export interface Desk {
  hold: Hold | null;
  waiting: readonly Count[];
}

/** Counts what waits for an operator. */
export async function readDesk(
  { store }: Pick<Services, "store">,
): Promise<Desk> {
  const limit = COUNTED_MAX;
  const [hold, creatives, reports, accounts, days, refunds, events, disputes] =
    await Promise.all([
      store.currentHold(),
      store.listSubmittedCreatives({ limit }),
      store.listOpenAdReports({ limit }),
      store.listWaitingAccounts({ limit }),
      store.listReconciliations({ limit: COMPARED_DAYS }),
      store.listFailedRefunds({ limit }),
      store.listTroubledWebhookEvents({ limit }),
      store.listUndecidedDisputes({ limit }),
    ]);
  const differing = days.filter(({ differences }) => differences.length > 0);
  const count = (
    found: readonly unknown[],
    href: string,
    ...names: Count["names"]
  ): Count => ({ found: found.length, max: limit, href, names });
  return {
    hold,
    waiting: [
      count(creatives, REVIEW_PATH, "ad to review", "ads to review"),
      count(
        reports,
        `${REVIEW_PATH}#reports`,
        "report by a reader",
        "reports by readers",
      ),
      count(
        accounts,
        ACCOUNTS_PATH,
        "account to decide about",
        "accounts to decide about",
      ),
      count(
        differing,
        MONEY_PATH,
        "day on which the books differ",
        "days on which the books differ",
      ),
      count(refunds, MONEY_PATH, "refund that failed", "refunds that failed"),
      count(
        events,
        MONEY_PATH,
        "notice of the processor not processed",
        "notices of the processor not processed",
      ),
      count(disputes, MONEY_PATH, "open dispute", "open disputes"),
    ],
  };
}
