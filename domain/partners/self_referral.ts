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
  // An account that is being erased has no address any more.
  if (a === "") return false;
  const [one, other] = [hostOf(a), hostOf(b)];
  if (PUBLIC_MAIL_HOSTS.has(one) || PUBLIC_MAIL_HOSTS.has(other)) return false;
  return one === other || one.endsWith(`.${other}`) ||
    other.endsWith(`.${one}`);
}

function hostOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/**
 * What the two accounts themselves tell; null for nothing. The advertiser has to
 * hold the VAT id: ids stand in every imprint, so one that typed its partner's
 * would take from that, for good, what it earned. The partner's own word is
 * enough, as it tells against nobody else.
 */
export function sameOwner(
  advertiser: Pick<Account, "email" | VatHolding>,
  partner: Pick<Account, "email" | "company">,
): Exclude<SelfReferral, "card"> | null {
  if (isSameMailHost(advertiser.email, partner.email)) return "email_domain";
  const vatId = partner.company?.vatId ?? null;
  return vatId !== null && holdsVatId(advertiser, vatId) ? "vat_id" : null;
}

/**
 * Looks whether an advertiser is its own partner, by what is known of both now:
 * their addresses, VAT ids and cards.
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
