/**
 * By what a partner is found to have referred itself: nobody is paid for that
 * (docs/affiliate.md).
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import { holdsVatId, type VatHolding } from "../accounts/vat_claim.ts";
import { CARDS_READ_MAX } from "../cards/card.ts";
import type { Services } from "../ports.ts";
import { PUBLIC_MAIL_HOSTS } from "./public_mail_hosts.ts";
import type { SelfReferral } from "./referral.ts";

/**
 * Whether two addresses are of one organisation: the same host, or one below the
 * other. That of a public mail provider says nothing of who writes.
 */
export function isSameMailHost(a: string, b: string): boolean {
  return isSameHost(mailHostOf(a), mailHostOf(b));
}

function isSameHost(one: string, other: string): boolean {
  // An account that is being erased has no address any more.
  if (one === "") return false;
  if (PUBLIC_MAIL_HOSTS.has(one) || PUBLIC_MAIL_HOSTS.has(other)) return false;
  return one === other || one.endsWith(`.${other}`) ||
    other.endsWith(`.${one}`);
}

/** The host at which an address is; "" for no address. */
export function mailHostOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/**
 * What the two accounts themselves tell; null for nothing. Of the advertiser
 * counts only what it can't say for the asking, since it would take from its
 * partner, for good, what that earned: the address that it signed up with and not
 * one that it moved to, and a VAT id that it holds, as ids stand in every imprint.
 * The partner's own word is enough, as it tells against nobody else.
 */
export function sameOwner(
  advertiser: Pick<Account, "referral" | VatHolding>,
  partner: Pick<Account, "email" | "company">,
): Exclude<SelfReferral, "card"> | null {
  const signedUpAt = advertiser.referral?.mailHost ?? "";
  if (isSameHost(signedUpAt, mailHostOf(partner.email))) return "email_domain";
  const vatId = partner.company?.vatId ?? null;
  return vatId !== null && holdsVatId(advertiser, vatId) ? "vat_id" : null;
}

/**
 * Looks whether an advertiser is its own partner, by what is known of both now:
 * their addresses, the advertiser's as it signed up, VAT ids and cards.
 */
export async function findSelfReferral(
  { store }: Pick<Services, "store">,
  advertiserId: string,
  partnerId: string,
): Promise<SelfReferral | null> {
  const [advertiser, partner] = await store.getMany([
    store.accounts.ref(advertiserId),
    store.accounts.ref(partnerId),
  ]);
  if (advertiser === null || partner === null) return null;
  const same = sameOwner(advertiser, partner);
  if (same !== null) return same;
  const [ours, theirs] = await Promise.all([
    fingerprintsOf(store, advertiser),
    fingerprintsOf(store, partner),
  ]);
  return ours.some((one) => theirs.includes(one)) ? "card" : null;
}

/** Of the cards an account has, and of those that were refused. */
async function fingerprintsOf(
  store: Services["store"],
  { id, refusedFingerprints = [] }: Account,
): Promise<string[]> {
  const cards = await store.listPaymentMethods(id, { limit: CARDS_READ_MAX });
  return [
    ...cards.flatMap(({ fingerprint }) => fingerprint ?? []),
    ...refusedFingerprints,
  ];
}
