import type { Scope } from "../../../domain/oauth/grant.ts";
import type { ScopeText } from "../../../domain/oauth/scope_texts.ts";

/** Permissions that are one choice, since they mostly go together. */
export interface ScopeGroup extends ScopeText {
  /** What its box is called in the form. */
  id: string;
  scopes: readonly Scope[];
}

const GROUPS: readonly ScopeGroup[] = [
  {
    id: "company",
    label: "See and change your company details",
    detail:
      "Company name, country, address, settings, how you are contacted, " +
      "whether you may bid, and where this agent is told of events. Not " +
      "your e-mail address, VAT id or cards.",
    scopes: ["account:read", "account:write"],
  },
  {
    id: "advertisements",
    label: "See, write and submit your advertisements",
    detail:
      "Drafts and rejected ones included. Each is reviewed by us before " +
      "it can be shown.",
    scopes: ["creatives:read", "creatives:write"],
  },
  {
    id: "figures",
    label: "See your bids, reports and invoices",
    detail:
      "All your bids with their amounts, clicks and what they cost, and " +
      "invoices with your address, VAT id and e-mail address.",
    scopes: ["reports:read", "bids:read", "invoices:read"],
  },
];

/** The groups all of which can be granted; spending is in none of them. */
export function groupsIn(offered: readonly Scope[]): ScopeGroup[] {
  return GROUPS.filter(({ scopes }) =>
    scopes.every((scope) => offered.includes(scope))
  );
}

/** What was ticked on the page. */
export interface Ticks {
  scopes: readonly string[];
  /** Ids of groups. */
  choices: readonly string[];
  /** Ids of the groups that the page showed as a choice. */
  shown: readonly string[];
}

/**
 * What stays of ticked permissions: nothing of a choice that was unticked. What
 * can be granted may be less by now than the page showed, so that a group is whole
 * no longer: its client may have disconnected itself.
 */
export function chosenScopes(
  offered: readonly Scope[],
  { scopes: ticked, choices, shown }: Ticks,
): Scope[] {
  const whole = groupsIn(offered);
  const unticked = GROUPS
    .filter((group) => shown.includes(group.id) || whole.includes(group))
    .filter(({ id }) => !choices.includes(id))
    .flatMap(({ scopes }) => scopes);
  return offered.filter((scope) =>
    ticked.includes(scope) && !unticked.includes(scope)
  );
}
