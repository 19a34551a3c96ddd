import { queueCustomer } from "../payments/customer_task.ts";
import { refuse } from "../refusal.ts";
import type { Account, Rename } from "./account.ts";
import { claimVat } from "./claim_vat.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "./decide_about_account.ts";
import { waitingRename, withoutRename } from "./rename.ts";

/**
 * Gives a company the name that waits. Its creatives show it from this commit
 * on, and the processor is told for the invoices.
 *
 * @throws {Refused} `account_not_found`; `decision_outdated` where no name
 * waits, or not the one that the operator saw; `invalid_input` without a reason
 */
export async function approveRename(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  const { accountId } = order;
  const renamed = await decideAboutAccount(
    services,
    order,
    async (tx, account, said) => {
      const { name } = seenRename(account, order);
      const { company, nameVersion = 0 } = account;
      if (company === null) refuse({ code: "decision_outdated" });
      await queueCustomer(tx, account.id, said.atMs);
      return {
        account: {
          ...withoutRename(account),
          company: { ...company, name },
          nameVersion: nameVersion + 1,
        },
        event: "rename_approved",
        about: name,
      };
    },
  );
  // A claim of a VAT id goes by the company's name.
  await claimVat(services, { accountId });
  return await services.store.accounts.find(accountId) ?? renamed;
}

/**
 * Says no to the name that waits: the company keeps the one it has.
 *
 * @throws {Refused} as {@linkcode approveRename}
 */
export function refuseRename(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, (_, account, { reason }) => {
    const rename = seenRename(account, order);
    return {
      account: { ...account, rename: { ...rename, refusal: reason } },
      event: "rename_refused",
      about: rename.name,
    };
  });
}

/** The wish that waits, which has to be the one that the operator saw. */
function seenRename(account: Account, { about }: AccountOrder): Rename {
  const rename = waitingRename(account);
  if (rename === null || rename.name !== about) {
    refuse({ code: "decision_outdated" });
  }
  return rename;
}
