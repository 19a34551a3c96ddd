import type { Services } from "../ports.ts";
import { mailedTo } from "./mailed_to.ts";
import { withMailChoices } from "./mail_choices.ts";
import {
  readUnsubscribeToken,
  type Unsubscribing,
} from "./unsubscribe_link.ts";

/**
 * Switches off the mails that a link is about, as whoever has the mail asks,
 * signed in or not. Harmless to repeat; of an account that is gone there is
 * nothing left to switch off.
 *
 * @returns what the link is about; null for one that is not, or no longer, good,
 * as one to an address that the account has left
 */
export async function unsubscribe(
  { store, keys, clock }: Pick<Services, "store" | "keys" | "clock">,
  token: string,
): Promise<Unsubscribing | null> {
  const asked = readUnsubscribeToken(keys, token, clock.now());
  if (asked === null) return null;
  return await store.transact(async (tx) => {
    const account = await tx.accounts.find(asked.accountId);
    if (account === null) return asked;
    if (asked.to !== mailedTo(account)) return null;
    const changed = withMailChoices(account, { [asked.choice]: false });
    if (changed !== account) tx.accounts.save(changed);
    return asked;
  });
}
