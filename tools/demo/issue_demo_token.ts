import { type CreatedGrant, createGrant } from "./create_grant.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";

/** Begins the clients that tokens issued by hand belong to. */
const DEMO_CLIENT = "client_demo";

/** What a token is wanted for. */
export interface IssueDemoToken {
  email: string;
  /** In any order; unknown ones are refused. */
  scopes: readonly string[];
  /** Required with `bids:write`. */
  mandate: DemoMandate | null;
  /** Null for a client of its own. */
  clientId: string | null;
}

/** The terms of its mandate, and how long they hold from now on. */
export interface DemoMandate {
  maxBidCents: number;
  dailyCapCents: number;
  validForMs: number;
}

/**
 * Tokens for an account, without the account's consent: for development only. A
 * client has one connection, so each token is one of a client of its own, and
 * its keys and limits are its own, unless a client is named.
 *
 * @throws {Refused} `account_not_found`, or `invalid_input` as in createGrant()
 */
export async function issueDemoToken(
  services: Services,
  { email, scopes, mandate, clientId }: IssueDemoToken,
): Promise<CreatedGrant> {
  const found = await services.store.accountEmails.find(email);
  if (found === null) refuse({ code: "account_not_found" });
  return await createGrant(services, {
    accountId: found.accountId,
    clientId: clientId ?? services.ids.next(DEMO_CLIENT),
    clientName: "Demo client",
    // createGrant() refuses what is not a scope.
    scopes: scopes as readonly Scope[],
    mandate: mandate && {
      maxBidCents: mandate.maxBidCents,
      dailyCapCents: mandate.dailyCapCents,
      validUntilMs: services.clock.now() + mandate.validForMs,
    },
  });
}
