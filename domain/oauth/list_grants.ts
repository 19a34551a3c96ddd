import { dayOf } from "../day.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import { newestOf, type NewestWindow } from "../newest_first.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Grant } from "./grant.ts";
import { type GrantState, grantState } from "./grant_state.ts";

/** The longest list: nobody has as many agents. */
const LISTED_MAX = 1_000;

/** A grant as its owner sees it. */
export interface GrantOverview {
  grant: Grant;
  state: GrantState;
  /** What bids of the present UTC day took out of the mandate; null without. */
  mandateUse: { usedCents: number; leftCents: number; ended: boolean } | null;
}

/**
 * The grants of an account, the newest first, with what is left of each
 * mandate today.
 */
export async function listGrants(
  { clock, store }: Pick<Services, "clock" | "store">,
  { accountId, window = { limit: LISTED_MAX, before: null } }: {
    accountId: string;
    window?: NewestWindow;
  },
): Promise<GrantOverview[]> {
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const all = await store.listGrants(accountId, { limit: LISTED_MAX });
  const grants = newestOf(all, window);
  const used = new Map<string, number>();
  const spending = grants.filter(({ mandate }) => mandate !== null);
  const uses = await readAll(
    store,
    spending.map(({ id }) => store.mandateUses.ref(id, today)),
  );
  for (const use of uses) if (use) used.set(use.grantId, use.usedCents);
  return grants
    .map((grant) => overviewOf(grant, used.get(grant.id) ?? 0, nowMs));
}

function overviewOf(
  grant: Grant,
  usedCents: number,
  nowMs: number,
): GrantOverview {
  const { mandate } = grant;
  return {
    grant,
    state: grantState(grant, nowMs),
    mandateUse: mandate && {
      usedCents,
      leftCents: Math.max(0, mandate.dailyCapCents - usedCents),
      ended: mandateEnded(mandate, nowMs),
    },
  };
}
