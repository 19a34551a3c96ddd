import { DAY_MS } from "../../domain/day.ts";
import { createGrant } from "./create_grant.ts";
import { type Grant, type Mandate, SCOPES } from "../../domain/oauth/grant.ts";
import { isOver } from "../../domain/oauth/grant_state.ts";
import { revokeGrant } from "../../domain/oauth/revoke_grant.ts";
import { issueAccessToken } from "./issue_access_token.ts";
import type { Services } from "../../domain/ports.ts";
import { BIDDING_ADVERTISERS } from "./bidding_advertisers.ts";

/** The client of the demo advertisers' own agents. */
export const DEMO_AGENT_CLIENT_ID = "client_demo_agent";

/** EUR 1,000 for one bid. */
const MAX_BID_CENTS = 100_000;
/** EUR 5,000 for one day. */
const DAILY_CAP_CENTS = 500_000;
const MANDATE_DAYS = 30;
/** A mandate that ends sooner is replaced. */
const MANDATE_LEFT_MS = 7 * DAY_MS;
/** Grants, creatives and cards of one account that are looked at. */
const LOOKED_AT = 100;

/** What an agent needs to bid for a demo advertiser. */
export interface DemoAccess {
  email: string;
  accessToken: string;
  /** An approved creative of the advertiser's own. */
  adId: string;
  /** The advertiser's default card. */
  paymentMethodId: string;
  scopes: Grant["scopes"];
  mandate: Mandate;
}

/**
 * A fresh access token for the agent of every demo advertiser that can bid.
 * The agent keeps its grant from one call to the next, so that repeats of its
 * requests and what it spent today are still known; a grant that ends soon is
 * revoked and replaced, so that grants do not pile up.
 */
export async function openDemoAccess(
  services: Services,
): Promise<DemoAccess[]> {
  const agents = BIDDING_ADVERTISERS.filter(({ hasAgent }) => hasAgent);
  const accesses = await Promise.all(
    agents.map(({ email }) => accessOf(services, email)),
  );
  return accesses.filter((access) => access !== null);
}

async function accessOf(
  services: Services,
  email: string,
): Promise<DemoAccess | null> {
  const { store } = services;
  const found = await store.accountEmails.find(email);
  if (found === null) return null;
  const { accountId } = found;
  const [account, creatives, grants] = await Promise.all([
    store.accounts.find(accountId),
    store.listCreatives(accountId, { limit: LOOKED_AT }),
    store.listGrants(accountId, { limit: LOOKED_AT }),
  ]);
  const creative = creatives.find(({ state }) => state === "approved");
  const paymentMethodId = account?.defaultPaymentMethodId ?? null;
  if (creative === undefined || paymentMethodId === null) return null;
  const { accessToken, scopes, mandate } = await agentToken(
    services,
    accountId,
    grants,
  );
  const { adId } = creative;
  return { email, accessToken, adId, paymentMethodId, scopes, mandate };
}

async function agentToken(
  services: Services,
  accountId: string,
  grants: readonly Grant[],
): Promise<Pick<DemoAccess, "accessToken" | "scopes" | "mandate">> {
  const nowMs = services.clock.now();
  const live = grants.filter(({ clientId, revokedAtMs }) =>
    clientId === DEMO_AGENT_CLIENT_ID && revokedAtMs === null
  );
  const kept = live.find((grant) => isLasting(grant, nowMs));
  for (const { id } of live.filter((grant) => grant !== kept)) {
    await revokeGrant(services, { grantId: id, accountId });
  }
  if (kept?.mandate) {
    const { scopes, mandate } = kept;
    const { text } = await issueAccessToken(services, kept.id);
    return { accessToken: text, scopes, mandate };
  }
  const mandate: Mandate = {
    maxBidCents: MAX_BID_CENTS,
    dailyCapCents: DAILY_CAP_CENTS,
    validUntilMs: nowMs + MANDATE_DAYS * DAY_MS,
  };
  const { accessToken, grant } = await createGrant(services, {
    accountId,
    clientId: DEMO_AGENT_CLIENT_ID,
    clientName: "Demo agent",
    scopes: SCOPES,
    mandate,
  });
  return { accessToken, scopes: grant.scopes, mandate };
}

function isLasting(grant: Grant, nowMs: number): boolean {
  const { mandate, scopes } = grant;
  return mandate !== null && mandate.validUntilMs - nowMs > MANDATE_LEFT_MS &&
    scopes.length === SCOPES.length && !isOver(grant, nowMs);
}
