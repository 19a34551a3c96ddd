import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { LINK_STATES, type ReferralLink } from "./referral_link.ts";

/**
 * Ends a link of one's own: sign-ups by it no longer count. One that has ended
 * stays so.
 *
 * @throws {Refused} `not_found` for another's link, and for none
 */
export function endLink(
  { store, clock }: Pick<Services, "store" | "clock">,
  { partnerId, code }: { partnerId: string; code: string },
): Promise<ReferralLink> {
  return store.transact(async (tx) => {
    const link = await tx.referralLinks.find(code);
    if (link?.partnerId !== partnerId) {
      return refuse({ code: "not_found", message: "Cannot find the link" });
    }
    if (link.state === "ended") return link;
    const ended: ReferralLink = {
      ...link,
      state: advance(LINK_STATES, link.state, "ended"),
      endedAtMs: clock.now(),
    };
    tx.referralLinks.save(ended);
    return ended;
  });
}
