import { dayOf } from "../day.ts";
import { newestFirst, type NewestWindow } from "../newest_first.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Grant, Line } from "./grant.ts";
import { type GrantState, grantState } from "./grant_state.ts";
import { standingLines } from "./lines.ts";

/** The longest list: nobody has as many agents. */
const LISTED_MAX = 1_000;

/** What of a mandate is used, and left. */
export interface MandateOverview {
  /** On the present UTC day. */
  usedCents: number;
  leftCents: number;
  /** Until its end; null where the user set no total. */
  total: { capCents: number; usedCents: number; leftCents: number } | null;
}

/** A grant as its owner sees it. */
export interface GrantOverview {
  grant: Grant;
  state: GrantState;
  /** Its authorizations that may still be good, in the order they began. */
  lines: readonly Line[];
  /** What bids took out of the mandate; null without one. */
  mandateUse: MandateOverview | null;
}

/**
 * The grants of an account, the newest first, with what is left of each
 * mandate today: a part of them, or all.
 */
export async function listGrants(
  { clock, store }: Pick<Services, "clock" | "store">,
  { accountId, window }: { accountId: string; window?: NewestWindow },
): Promise<GrantOverview[]> {
  const grants = window === undefined
    // Also those that an older release beside this one has just made.
    ? (await store.listGrants(accountId, { limit: LISTED_MAX }))
      .toSorted(newestFirst)
    : await store.listNewestGrants(accountId, window);
  return await overviewsOf({ clock, store }, grants);
}

/** These grants as their owner sees them. */
export async function overviewsOf(
  { clock, store }: Pick<Services, "clock" | "store">,
  grants: readonly Grant[],
): Promise<GrantOverview[]> {
  const nowMs = clock.now();
  const today = dayOf(nowMs);
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
  const { mandate, totalUse } = grant;
  const capCents = mandate?.totalCapCents;
  const usedInAllCents = totalUse?.usedCents ?? 0;
  return {
    grant,
    state: grantState(grant, nowMs),
    lines: standingLines(grant, nowMs),
    mandateUse: mandate && {
      usedCents,
      leftCents: Math.max(0, mandate.dailyCapCents - usedCents),
      total: capCents === undefined ? null : {
        capCents,
        usedCents: usedInAllCents,
        leftCents: Math.max(0, capCents - usedInAllCents),
      },
    },
  };
}
