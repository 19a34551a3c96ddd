import { queueCustomer } from "../payments/customer_task.ts";
import { refuse } from "../refusal.ts";
import type { Account } from "./account.ts";
import { freeVatIdFor } from "./claim_vat.ts";
import { contestVatId } from "./contested_vat.ts";
import {
  type AccountDecision,
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "./decide_about_account.ts";
import {
  asClaimant,
  asHolder,
  claimedVatId,
  isComplete,
  vatCaseOf,
  vatDoubtOf,
  vatRefusalOf,
  withoutVatDoubt,
  withRefusal,
} from "./vat_claim.ts";

/**
 * The id about which an operator may say yes: one that the registry knows,
 * claimed by a complete account, that waits or was refused; or one that the
 * account holds and the registry said no to since; else null.
 */
export function approvableVatId(account: Account): string | null {
  const doubt = vatDoubtOf(account);
  if (doubt !== null) return doubt.vatId;
  const isOpen = vatCaseOf(account) !== null || vatRefusalOf(account) !== null;
  return isOpen && isComplete(account) ? claimedVatId(account) : null;
}

/** The id that an operator may take back from the account; null for none. */
export function heldVatId({ company, vatStatus }: Account): string | null {
  return vatStatus === "valid" ? company?.vatId ?? null : null;
}

/**
 * Makes the account the holder of the id it claims, or leaves it the holder of one
 * that the registry said no to since.
 *
 * @throws {Refused} `account_not_found`; `decision_outdated` where it claims no
 * id, or has another id or name than the operator saw; `vat_id_taken` while
 * another account holds it, which has to be released there first; `invalid_input`
 */
export function approveVat(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, async (tx, account, said) => {
    const vatId = seenId(approvableVatId(account), order);
    // Whose an id is was decided by comparing names.
    if (account.company?.name !== order.companyName) {
      refuse({ code: "decision_outdated" });
    }
    if (vatDoubtOf(account) !== null) return kept(account, vatId);
    if (!await freeVatIdFor(tx, account, said.atMs)) {
      refuse({ code: "vat_id_taken" });
    }
    await queueCustomer(tx, account.id, said.atMs);
    return {
      account: asHolder(account, said.atMs),
      event: "vat_approved",
      about: vatId,
    };
  });
}

function kept(account: Account, vatId: string): AccountDecision {
  return {
    account: withoutVatDoubt(account),
    event: "vat_approved",
    about: vatId,
    leavesBids: true,
  };
}

/**
 * Says no to the claim that waits. Another company name, where the name was the
 * reason, or another id is another claim.
 *
 * @throws {Refused} as {@linkcode approveVat}, but for `vat_id_taken` and the
 * name
 */
export function declineVat(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, (_, account, { reason }) => {
    const waiting = vatCaseOf(account);
    const vatId = seenId(waiting?.vatId ?? null, order);
    const name = waiting?.why === "name" ? waiting.name : null;
    return {
      account: withRefusal(asClaimant(account), { vatId, name, reason }),
      event: "vat_declined",
      about: vatId,
    };
  });
}

/**
 * Takes an id back from the account that holds it, so that another may have it.
 * From then on any account gets it by an operator's approval only.
 *
 * @throws {Refused} as {@linkcode declineVat}
 */
export function releaseVat(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, async (tx, account, said) => {
    const vatId = seenId(heldVatId(account), order);
    const { reason } = said;
    contestVatId(services.keys, tx, vatId, said.atMs);
    await queueCustomer(tx, account.id, said.atMs);
    return {
      account: withRefusal(asClaimant(account), { vatId, name: null, reason }),
      event: "vat_released",
      about: vatId,
    };
  });
}

function seenId(vatId: string | null, { about }: AccountOrder): string {
  if (vatId === null || vatId !== about) refuse({ code: "decision_outdated" });
  return vatId;
}
