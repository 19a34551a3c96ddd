/**
 * Another name for a company. The name that readers and invoices show is one
 * that was looked at: with the creative that was approved, or with the VAT id
 * that was verified. So where there is either, another name is a wish that
 * waits for an operator, and the company keeps its name until then.
 *
 * @module
 */
import type { Store } from "../ports.ts";
import type { Account, Company, Rename } from "./account.ts";

/** Creatives that are read; an account with more is taken to show one. */
const CREATIVES_READ = 200;

/** What no transaction can list: whether readers or the desk see the name. */
export interface NameUse {
  /** There is a submitted or approved creative. */
  isShown: boolean;
  /** What the account had submitted by then, to see that nothing came since. */
  submissions: number;
}

/** Reads whether a company's name stands in a creative, before the commit. */
export async function readNameUse(
  store: Pick<Store, "accounts" | "listCreatives">,
  accountId: string,
): Promise<NameUse> {
  // First, so that what is submitted meanwhile is seen one way or the other.
  const account = await store.accounts.find(accountId);
  const creatives = await store.listCreatives(accountId, {
    limit: CREATIVES_READ,
  });
  const isShown = creatives.length === CREATIVES_READ ||
    creatives.some(({ state }) =>
      state === "submitted" || state === "approved"
    );
  return { isShown, submissions: account?.submissions ?? 0 };
}

/** The account as one that has submitted one more creative. */
export function withSubmission(account: Account): Account {
  return { ...account, submissions: (account.submissions ?? 0) + 1 };
}

/** The wish that waits for an operator; null for none. */
export function waitingRename({ rename }: Account): Rename | null {
  return rename === undefined || rename.refusal !== undefined ? null : rename;
}

/**
 * The account with that company: what may be changed is, and another name waits
 * where the present one was looked at. Its VAT id has to be verified anew where
 * it is another. The very same account when nothing changes.
 */
export function withCompany(
  account: Account,
  wanted: Company,
  use: NameUse,
  nowMs: number,
): Account {
  const { company: before } = account;
  const isSameVatId = wanted.vatId === (before?.vatId ?? null);
  const vatStatus = isSameVatId ? account.vatStatus : "unverified";
  const isLookedAt = vatStatus === "valid" || use.isShown ||
    use.submissions !== (account.submissions ?? 0);
  const mayRename = before === null || !isLookedAt;
  const name = mayRename ? wanted.name : before.name;
  const company = { ...wanted, name };
  const renamed = name === wanted.name
    ? withoutRename(account)
    : withRename(account, wanted.name, nowMs);
  if (isSameCompany(before, company)) return renamed;
  return { ...renamed, company, vatStatus };
}

function withRename(account: Account, name: string, nowMs: number): Account {
  if (waitingRename(account)?.name === name) return account;
  return { ...account, rename: { name, askedAtMs: nowMs } };
}

/** The account without a wish for another name. */
export function withoutRename(account: Account): Account {
  const { rename, ...rest } = account;
  return rename === undefined ? account : rest;
}

function isSameCompany(a: Company | null, b: Company): boolean {
  return a !== null && a.name === b.name && a.country === b.country &&
    a.vatId === b.vatId && a.address.line1 === b.address.line1 &&
    a.address.city === b.address.city &&
    a.address.postalCode === b.address.postalCode;
}
