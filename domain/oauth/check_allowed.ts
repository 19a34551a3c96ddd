/**
 * What a user may allow a client, at a consent or on the agents page.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import { checkMandateTerms } from "../mandates/mandate_terms.ts";
import type { Settings } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { isFresh, type Session } from "../sessions/session.ts";
import type { Allowed } from "./connect_client.ts";
import {
  FRESH_SCOPES,
  type Grant,
  type Mandate,
  type Scope,
  SCOPES,
} from "./grant.ts";
import { whyWithheld } from "./withheld_scopes.ts";

/** What a user ticked and typed. */
export interface ConsentAnswer {
  /** Of the browser that says it, which has to go on until it is said. */
  session: Pick<Session, "hash" | "accountId" | "generation" | "authTimeMs">;
  /** What was ticked; what was not offered is ignored. */
  scopes: readonly Scope[];
  /** Required with `bids:write`, left aside without. */
  mandate: Mandate | null;
}

/** What is asked for, and what the client may do already if it is connected. */
export function offeredScopes(
  asked: readonly Scope[],
  standing: Pick<Grant, "scopes"> | null,
): Scope[] {
  const held = standing?.scopes ?? [];
  return SCOPES.filter((scope) =>
    asked.includes(scope) || held.includes(scope)
  );
}

/**
 * What is allowed by an answer.
 *
 * @throws {Refused} `invalid_input` for nothing ticked, for terms of the mandate
 * and for `bids:write` of an operator's account, `sign_in_stale` when the sign-in
 * is too old for what is ticked, `partner_required` for affiliate scopes of
 * another account
 */
export function checkAllowed(
  { session, scopes: ticked, mandate }: ConsentAnswer,
  offered: readonly Scope[],
  { account, settings }: { account: Account; settings: Settings },
  nowMs: number,
): Allowed {
  const scopes = offered.filter((scope) => ticked.includes(scope));
  if (scopes.length === 0) {
    invalid("at least one of the permissions asked for must be ticked");
  }
  const withheld = scopes.map((scope) => whyWithheld(scope, account, settings));
  if (withheld.includes("partners_only")) refuse({ code: "partner_required" });
  if (withheld.includes("operators_never_bid")) {
    invalid(
      "an operator’s account never bids, so bids:write must not be ticked",
    );
  }
  if (
    !isFresh(session, nowMs) &&
    scopes.some((scope) => FRESH_SCOPES.includes(scope))
  ) {
    refuse({ code: "sign_in_stale" });
  }
  return { scopes, mandate: mandateOf(scopes, mandate, nowMs) };
}

/** Spending rights come of `bids:write` and explicit terms, and of no less. */
function mandateOf(
  scopes: readonly Scope[],
  mandate: Mandate | null,
  nowMs: number,
): Mandate | null {
  if (!scopes.includes("bids:write")) return null;
  if (mandate === null) invalid("bids:write needs a spending mandate");
  checkMandateTerms(mandate, nowMs);
  return mandate;
}

function invalid(wanted: string): never {
  refuse({
    code: "invalid_input",
    message: `Cannot connect the application: ${wanted}`,
  });
}
