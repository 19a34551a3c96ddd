import type {
  Account,
  Rename,
  VatCase,
} from "../../../domain/accounts/account.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import { vatCheckOf } from "../../../domain/accounts/vat_check.ts";
import { vatCaseOf, vatDoubtOf } from "../../../domain/accounts/vat_claim.ts";
import { hasLostDispute } from "../../../domain/accounts/eligibility.ts";

/** What waits for an operator about an account, in sentences. */
export function waitingWords(account: Account): string[] {
  const rename = waitingRename(account);
  const vatCase = vatCaseOf(account);
  const doubt = vatDoubtOf(account);
  return [
    ...rename === null ? [] : [
      `It asks to be called “${rename.name}” instead of ` +
      `“${nameOf(account)}”${registeredWords(rename)}`,
    ],
    ...vatCase === null ? [] : [`${caseWords(account, vatCase)}: compare`],
    ...doubt === null ? [] : [
      `The EU register, asked because of another name, says that ${doubt.vatId} ` +
      "is not valid: the account holds it until you decide. Ask the register " +
      "yourself, then approve the VAT id or release it",
    ],
    ...hasLostDispute(account)
      ? ["A dispute was lost: it can’t bid until you lift the block"]
      : [],
    ...account.partnership?.state === "applied"
      ? ["It asks to be a partner: read where it would recommend us"]
      : [],
  ];
}

/** For operators alone: the owner is never told which of them it is. */
function caseWords(account: Account, { vatId, why }: VatCase): string {
  if (why === "contested") {
    return `It claims ${vatId}, which is claimed by several, was taken back ` +
      "from an account, or was given up by one that was blocked or had paid " +
      "for a day, so nobody gets it but by your approval";
  }
  return why === "held"
    ? `It claims ${vatId}, which another account holds`
    : `It claims ${vatId}, which the register has for ` +
      `“${vatCheckOf(account)?.name ?? ""}”, not “${nameOf(account)}”`;
}

function nameOf({ company }: Account): string {
  return company?.name ?? "";
}

/** What the VAT register says of a name that is asked for. */
function registeredWords({ registered }: Rename): string {
  if (registered === undefined) return "";
  return registered === null
    ? "; the VAT register gives no name"
    : `; the VAT register calls it “${registered}”`;
}
