import type { Services } from "../ports.ts";
import type { Grant } from "./grant.ts";
import { listGrants } from "./list_grants.ts";

/** An agent that may bid for the account, within what it may bid on one day. */
export interface Spender {
  client: Grant["client"];
  dailyCapCents: number;
}

/**
 * The agents that may bid for an account besides one of them, who may spend most
 * first: each cap is of one agent, so that a person has to see their sum.
 */
export async function listSpenders(
  services: Pick<Services, "clock" | "store">,
  { accountId, besides }: { accountId: string; besides: string | null },
): Promise<Spender[]> {
  const grants = await listGrants(services, { accountId });
  return grants.flatMap(({ grant, state }) => {
    const { id, client, scopes, mandate } = grant;
    const isOver = state === "ended" || state === "revoked";
    const spends = mandate !== null && scopes.includes("bids:write");
    if (!spends || isOver || id === besides) return [];
    return [{ client, dailyCapCents: mandate.dailyCapCents }];
  }).toSorted((a, b) => b.dailyCapCents - a.dailyCapCents);
}
