import { type Mail, textMail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import type { Settings } from "../ports.ts";
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
  const { settings, store } = services;
  const { accountId } = order;
  const renamed = await decideAboutAccount(
    services,
    order,
    async (tx, account, said) => {
      const { name } = seenRename(account, order);
      const { company, nameVersion = 0, email } = account;
      if (company === null) refuse({ code: "decision_outdated" });
      await queueCustomer(tx, account.id, said.atMs);
      return {
        account: {
          ...withoutRename(account),
          company: { ...company, name },
          nameVersion: nameVersion + 1,
        },
        event: "rename_approved",
        mail: renameApprovedMail(email, name, said.reason, settings),
      };
    },
  );
  // A claim of a VAT id goes by the company's name.
  await claimVat(services, { accountId });
  return await store.accounts.find(accountId) ?? renamed;
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
  const { settings } = services;
  return decideAboutAccount(services, order, (_, account, { reason }) => {
    const rename = seenRename(account, order);
    return {
      account: { ...account, rename: { ...rename, refusal: reason } },
      event: "rename_refused",
      mail: renameRefusedMail(account.email, rename.name, reason, settings),
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

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** Tells an owner that the company has the name that was asked for. */
function renameApprovedMail(
  to: string,
  name: string,
  reason: string,
  { baseUrl }: Sender,
): Mail {
  return textMail(
    to,
    "Your company's new name is shown",
    `Hello,

your company has the name you asked for:

  ${name}

${reason}

Your approved advertisements and your next invoices show it. Days that were won
before keep the name they were won under.

${baseUrl}${PAGES.onboarding}
`,
  );
}

/** Tells an owner that the company keeps its name, and why. */
function renameRefusedMail(
  to: string,
  name: string,
  reason: string,
  { baseUrl, seller }: Sender,
): Mail {
  return textMail(
    to,
    "Your company keeps its name for now",
    `Hello,

an operator did not approve this name for your company:

  ${name}

${reason}

Nothing else has changed. You can ask for another name at the address below;
questions: ${seller.email}.

${baseUrl}${PAGES.onboarding}
`,
  );
}
