/**
 * Whose a VAT id is. Ids stand in every imprint, so knowing one proves nothing:
 * an account holds one only once it is identity-checked, has a card, and the
 * registry's name is the company's. Until then any number of accounts may claim
 * it. What can't be settled so is an operator's to decide.
 *
 * @module
 */
import type { Account, VatCase, VatDoubt, VatRefusal } from "./account.ts";
import { isSameCompanyName } from "./same_company_name.ts";
import { isNameToBeAsked, VAT_FAILURES_MAX, vatCheckOf } from "./vat_check.ts";

/** Refusals that are kept of an account: operators write each. */
const REFUSALS_MAX = 20;

/** The id that the registry knows and the account does not hold; else null. */
export function claimedVatId(account: Account): string | null {
  const check = vatCheckOf(account);
  const isClaim = check?.outcome === "valid" &&
    account.vatStatus === "unverified";
  return isClaim ? check.vatId : null;
}

/** Whether the account has what holding an id takes besides the id. */
export function isComplete(
  { identityStatus, defaultPaymentMethodId }: Account,
): boolean {
  return identityStatus === "verified" && defaultPaymentMethodId !== null;
}

/** Whether the registry has another name for the id than the company's. */
export function isNameOther(account: Account): boolean {
  const name = vatCheckOf(account)?.name ?? null;
  return name !== null && account.company !== null &&
    !isSameCompanyName(name, account.company.name);
}

/** The case that waits for an operator; null for none. */
export function vatCaseOf(account: Account): VatCase | null {
  const { vatCase, company } = account;
  const vatId = claimedVatId(account);
  if (vatCase === undefined || vatCase.vatId !== vatId) return null;
  const isStale = vatCase.why === "name" && vatCase.name !== company?.name;
  return isStale || vatRefusalOf(account) !== null ? null : vatCase;
}

/**
 * The registry's no to the id that the account holds, which waits for an
 * operator; null for none. It holds the id until then, and its bids stand.
 */
export function vatDoubtOf(
  { vatStatus, company, vatDoubt }: Account,
): VatDoubt | null {
  if (vatStatus !== "valid" || vatDoubt === undefined) return null;
  return vatDoubt.vatId === company?.vatId ? vatDoubt : null;
}

/** The account without what made its id doubtful. */
export function withoutVatDoubt(account: Account): Account {
  const { vatDoubt: _doubt, ...rest } = account;
  return rest;
}

/** The operator's no to the present id and name; null for none. */
export function vatRefusalOf(
  { company, vatRefusals = [] }: Account,
): VatRefusal | null {
  return vatRefusals.find(({ vatId, name }) =>
    vatId === company?.vatId && (name === null || name === company.name)
  ) ?? null;
}

/** Whether the claim can be settled now, without the registry or a person. */
export function isRipe(account: Account): boolean {
  return claimedVatId(account) !== null && isComplete(account) &&
    vatCaseOf(account) === null && vatRefusalOf(account) === null;
}

/** Whether nothing but identity and card are missing for the id. */
export function isWaitingClaim(account: Account): boolean {
  return claimedVatId(account) !== null && !isComplete(account) &&
    !isNameOther(account) && vatRefusalOf(account) === null;
}

/** What of an account tells whether it holds an id. */
export type VatHolding =
  | "company"
  | "vatStatus"
  | "vatHeldAtMs"
  | "identityStatus";

/**
 * Whether the account holds the id against others. Those that were verified
 * before claims waited hold it once their identity is checked: it stays so,
 * while a card can be taken away to be rid of a bid that stands.
 */
export function holdsVatId(
  account: Pick<Account, VatHolding>,
  vatId: string,
): boolean {
  const { company, vatStatus, vatHeldAtMs, identityStatus } = account;
  return vatStatus === "valid" && company?.vatId === vatId &&
    (vatHeldAtMs !== undefined || identityStatus === "verified");
}

/** The account as the holder of its id. */
export function asHolder(account: Account, nowMs: number): Account {
  const { vatCase: _case, vatDoubt: _doubt, vatRefusals = [], ...rest } =
    account;
  const others = vatRefusals.filter(({ vatId }) =>
    vatId !== account.company?.vatId
  );
  return {
    ...rest,
    ...others.length > 0 && { vatRefusals: others },
    vatStatus: "valid",
    vatHeldAtMs: nowMs,
  };
}

/** The account as one that claims its id and does not hold it. */
export function asClaimant(account: Account): Account {
  const { vatHeldAtMs: _at, vatCase: _case, vatDoubt: _doubt, ...rest } =
    account;
  return { ...rest, vatStatus: "unverified" };
}

/** The account with one more no of an operator. */
export function withRefusal(account: Account, refusal: VatRefusal): Account {
  const others = (account.vatRefusals ?? []).filter(({ vatId, name }) =>
    vatId !== refusal.vatId || name !== refusal.name
  );
  const vatRefusals = [...others, refusal].slice(-REFUSALS_MAX);
  return { ...account, vatRefusals };
}

/**
 * When something is to be done about the account's VAT id by itself: asking the
 * registry, or settling a claim. Null for never.
 */
export function vatDueAtMs(account: Account): number | null {
  const check = vatCheckOf(account);
  if (check === null) return null;
  if (isRipe(account)) return check.atMs ?? check.dueAtMs;
  const isOpen = account.vatStatus === "unverified"
    ? check.outcome === null
    : isNameToBeAsked(account);
  return isOpen && check.failures < VAT_FAILURES_MAX ? check.dueAtMs : null;
}
