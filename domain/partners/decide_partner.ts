/**
 * What operators decide about partners: each as about any account, with a
 * reason, a mail and a line of its history.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import type { AccountEvent } from "../accounts/account_note.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "../accounts/decide_about_account.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { newCode, newLink } from "./create_link.ts";
import { type Partner, PARTNER_STATES, type PartnerState } from "./partner.ts";
import { withStanding } from "./standing.ts";

/** What a first link is called. */
const FIRST_LINK = "My link";

/**
 * Approves who asked to be a partner, or was one, and gives it a first link. One
 * that is approved already stays so.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason;
 * `decision_outdated` where nobody asks, or with other words than the operator saw
 */
export function approvePartner(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  const code = newCode(services.ids); // outside: attempts share it
  return decide(services, order, "approved", (tx, partner, nowMs) => {
    requireSeen(partner, order);
    if (partner.links > 0) return partner;
    const name = FIRST_LINK;
    tx.referralLinks.save(
      newLink({ code, partnerId: partner.accountId, name }, nowMs),
    );
    return { ...partner, links: 1 };
  });
}

/**
 * Refuses who asked to be a partner.
 *
 * @throws {Refused} as {@linkcode approvePartner}
 */
export function refusePartner(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decide(services, order, "refused", (_, partner) => {
    requireSeen(partner, order);
    return partner;
  });
}

/**
 * Ends a partnership: links no longer count, and invoices from then on bring no
 * commission. What was earned before is still owed.
 *
 * @throws {Refused} as {@linkcode approvePartner}, whatever words it was seen with
 */
export function endPartner(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decide(services, order, "ended");
}

/** Who was refused may ask again with other words, while a page is open. */
function requireSeen({ pitch }: Partner, { about }: AccountOrder): void {
  if (pitch !== about) refuse({ code: "decision_outdated" });
}

/** Every decision's state, with its line of the account's history. */
const DECIDED = {
  approved: { event: "partner_approved" },
  refused: { event: "partner_refused" },
  ended: { event: "partner_ended" },
} as const satisfies Partial<Record<PartnerState, { event: AccountEvent }>>;

function decide(
  services: DecisionServices,
  order: AccountOrder,
  state: keyof typeof DECIDED,
  more: (
    tx: Parameters<Parameters<typeof decideAboutAccount>[2]>[0],
    partner: Partner,
    nowMs: number,
  ) => Partner = (_, partner) => partner,
): Promise<Account> {
  return decideAboutAccount(services, order, async (tx, account, said) => {
    const before = await tx.partners.find(account.id);
    if (before?.state === state) return null;
    if (before === null || !PARTNER_STATES[before.state].includes(state)) {
      return refuse({ code: "decision_outdated" });
    }
    const partner = more(tx, {
      ...before,
      state: advance(PARTNER_STATES, before.state, state),
      decidedAtMs: said.atMs,
      reason: said.reason,
    }, said.atMs);
    tx.partners.save(partner);
    return { account: withStanding(account, partner), ...DECIDED[state] };
  });
}
