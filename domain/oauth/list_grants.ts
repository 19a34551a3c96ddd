import { dayOf } from "../day.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import { newestFirst, type NewestWindow } from "../newest_first.ts";
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
 * mandate today: a part of them, or all.
 */
export async function listGrants(
  { clock, store }: Pick<Services, "clock" | "store">,
  { accountId, window }: { accountId: string; window?: NewestWindow },
): Promise<GrantOverview[]> {
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const grants = window === undefined
    // Also those that an older release beside this one has just made.
    ? (await store.listGrants(accountId, { limit: LISTED_MAX }))
      .toSorted(newestFirst)
    : await store.listNewestGrants(accountId, window);
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
