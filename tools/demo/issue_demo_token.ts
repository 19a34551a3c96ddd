import { type CreatedGrant, createGrant } from "./create_grant.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";

/** The client that tokens issued by hand belong to. */
export const DEMO_CLIENT_ID = "client_demo";

/** What a token is wanted for. */
export interface IssueDemoToken {
  email: string;
  /** In any order; unknown ones are refused. */
  scopes: readonly string[];
  /** Required with `bids:write`. */
  mandate: DemoMandate | null;
}

/** The terms of its mandate, and how long they hold from now on. */
export interface DemoMandate {
  maxBidCents: number;
  dailyCapCents: number;
  validForMs: number;
}

/**
 * A fresh grant for an account, without the account's consent: for development
 * only. Grants issued before it stay as they are.
 *
 * @throws {Refused} `account_not_found`, or `invalid_input` as in createGrant()
 */
export async function issueDemoToken(
  services: Services,
  { email, scopes, mandate }: IssueDemoToken,
): Promise<CreatedGrant> {
  const found = await services.store.accountEmails.find(email);
  if (found === null) refuse({ code: "account_not_found" });
  return await createGrant(services, {
    accountId: found.accountId,
    clientId: DEMO_CLIENT_ID,
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
