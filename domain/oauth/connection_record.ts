import { isoOrNull, isoTime } from "../day.ts";
import type { Grant, Scope } from "./grant.ts";
import type { GrantOverview } from "./list_grants.ts";

/** What an agent may spend for the account, and what is left of it today. */
export interface ConnectionMandate {
  max_bid_cents: number;
  daily_cap_cents: number;
  valid_until: string;
  /** Of the present UTC day. */
  used_cents: number;
  /** None where the mandate or the connection has ended. */
  left_cents: number;
}

/** An authorized agent as the agent API shows it. */
export interface ConnectionRecord {
  grant_id: string;
  /** What the application calls itself, and the host it is known by. */
  client: { name: string; host: string | null };
  scopes: Scope[];
  state: GrantOverview["state"];
  mandate: ConnectionMandate | null;
  created_at: string;
  last_used_at: string | null;
  /** Whether it is the connection that asks. */
  is_current: boolean;
}

/** The members of a connection, and no others. */
export function toConnectionRecord(
  { grant, state, mandateUse }: GrantOverview,
  askingGrantId: string,
): ConnectionRecord {
  const { id, client, lastUsedAtMs } = grant;
  return {
    grant_id: id,
    client: { name: client.name, host: client.host },
    scopes: [...grant.scopes],
    state,
    mandate: mandateUse && toMandate(grant, { state, mandateUse }),
    created_at: isoTime(grant.createdAtMs),
    last_used_at: isoOrNull(lastUsedAtMs),
    is_current: id === askingGrantId,
  };
}

function toMandate(
  { mandate }: Grant,
  { state, mandateUse }: Pick<GrantOverview, "state" | "mandateUse">,
): ConnectionMandate | null {
  if (mandate === null || mandateUse === null) return null;
  const isOver = mandateUse.ended || state === "ended" || state === "revoked";
  return {
    max_bid_cents: mandate.maxBidCents,
    daily_cap_cents: mandate.dailyCapCents,
    valid_until: isoTime(mandate.validUntilMs),
    used_cents: mandateUse.usedCents,
    left_cents: isOver ? 0 : mandateUse.leftCents,
  };
}
