import { isOperator } from "../accounts/eligibility.ts";
import { requireAccount } from "../accounts/require_account.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { readText } from "../text/read_text.ts";
import { type Partner, PARTNER_STATES } from "./partner.ts";
import { withStanding } from "./standing.ts";
import { PARTNER_TERMS_VERSION } from "./limits.ts";

/** How long what a partner says of itself may be, code points. */
export const PITCH_TEXT = { min: 10, max: 500 };

const NO_PITCH =
  "Cannot apply without saying where you would recommend Spotlight";

/**
 * Asks to be a partner, which accepts the terms of the programme as they are
 * now. Who has asked, or is one, stays as it is.
 *
 * @throws {Refused} `invalid_input` for a text that is not plain
 */
export function applyAsPartner(
  { store, clock, settings }: Pick<Services, "store" | "clock" | "settings">,
  { accountId, pitch: typed }: { accountId: string; pitch: string },
): Promise<Partner> {
  const pitch = readText(typed, PITCH_TEXT, NO_PITCH);
  return store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const before = await tx.partners.find(accountId);
    if (before !== null && before.state !== "refused") return before;
    if (isOperator(account, settings)) {
      const message =
        "Cannot apply: an operator’s account decides about partners";
      refuse({ code: "invalid_input", message });
    }
    const nowMs = clock.now();
    const partner: Partner = {
      accountId,
      links: 0,
      connectedAccount: null,
      decidedAtMs: null,
      ...before,
      state: before === null
        ? "applied"
        : advance(PARTNER_STATES, before.state, "applied"),
      terms: { version: PARTNER_TERMS_VERSION, acceptedAtMs: nowMs },
      pitch,
      appliedAtMs: nowMs,
      reason: null,
    };
    tx.partners.save(partner);
    tx.accounts.save(withStanding(account, partner));
    return partner;
  });
}
