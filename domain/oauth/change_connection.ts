import { dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { requireAuthority } from "../sessions/authority.ts";
import { mailOwner } from "./agent_mail.ts";
import { checkAllowed, type ConsentAnswer } from "./check_allowed.ts";
import { withAllowed } from "./connect_client.ts";
import { type Grant, SCOPES } from "./grant.ts";
import { isOver } from "./grant_state.ts";
import { refuseUnknown } from "./revoke_grant.ts";

/** What the user allows a connected client from now on. */
export interface ChangeConnection extends ConsentAnswer {
  grantId: string;
}

/**
 * Changes what a connected client may do, without its asking: many clients never
 * ask for more than they began with. What was used stays used. Tokens that are
 * out lose at once what is taken away, and get what is added when their client
 * refreshes them. The owner is mailed what the client may do from now on.
 *
 * @throws {Refused} `not_found` for another account's and for one that is over,
 * and as `checkAllowed()` and `requireAuthority()`
 */
export function changeConnection(
  services: Pick<Services, "clock" | "ids" | "store" | "settings">,
  { grantId, ...answer }: ChangeConnection,
): Promise<Grant> {
  const { clock, ids, settings, store } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  return store.transact(async (tx) => {
    const { accountId } = answer.session;
    await requireAuthority(tx, answer);
    const [grant, account] = await tx.getMany([
      tx.grants.ref(grantId),
      tx.accounts.ref(accountId),
    ]);
    const nowMs = clock.now();
    if (account === null) refuse({ code: "account_not_found" });
    if (grant?.accountId !== accountId || isOver(grant, nowMs)) {
      refuseUnknown(grantId);
    }
    const allowed = checkAllowed(
      answer,
      SCOPES,
      { account, settings },
      nowMs,
    );
    const use = await tx.mandateUses.find(grantId, dayOf(nowMs));
    const used = use?.usedCents ?? 0;
    const changed = withAllowed(grant, allowed, used, nowMs);
    tx.grants.save(changed);
    const change = { mailId, grant: changed, standing: grant };
    mailOwner(services, tx, account, change, nowMs);
    return changed;
  });
}
