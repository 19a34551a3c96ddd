import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Partner } from "../../domain/partners/partner.ts";
import type { Referral } from "../../domain/partners/referral.ts";
import { mailHostOf } from "../../domain/partners/self_referral.ts";
import type { Services } from "../../domain/ports.ts";

const YEAR_MS = 365 * 86_400_000;

/** The partner's account in these tests. */
export const PARTNER_ID = "acc_partner";
/** The code of its link. */
export const LINK_CODE = "k3qd9vtzmwpx";

/** A verified partner, whose address and company are nobody else's. */
export async function savePartner(
  { store, clock }: Pick<Services, "store" | "clock">,
  changes: { partner?: Partial<Partner>; account?: Partial<Account> } = {},
): Promise<Partner> {
  const nowMs = clock.now();
  const partner: Partner = {
    accountId: PARTNER_ID,
    state: "approved",
    terms: { version: "2026-11-23", acceptedAtMs: nowMs },
    pitch: "A newsletter for makers",
    appliedAtMs: nowMs,
    decidedAtMs: nowMs,
    reason: "Welcome",
    links: 1,
    connectedAccount: {
      id: "acct_partner",
      createdAtMs: nowMs,
      detailsSubmitted: true,
      payoutsEnabled: true,
      syncedAtMs: nowMs,
    },
    ...changes.partner,
  };
  const account = {
    ...newAccount(PARTNER_ID, "grace@newsletter.example", nowMs),
    partner: true,
    ...changes.account,
  };
  await store.transact((tx) => {
    tx.accounts.save(account);
    tx.partners.save(partner);
    tx.referralLinks.save({
      code: LINK_CODE,
      partnerId: PARTNER_ID,
      name: "Newsletter",
      state: "active",
      createdAtMs: nowMs,
      endedAtMs: null,
    });
  });
  return partner;
}

/** Makes an account one that the partner brought. */
export function refer(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
  changes: Partial<Referral> = {},
): Promise<void> {
  return store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) throw new Error(`No account ${accountId}`);
    const signedUpAtMs = clock.now();
    const referral: Referral = {
      partnerId: PARTNER_ID,
      code: LINK_CODE,
      signedUpAtMs,
      mailHost: mailHostOf(account.email),
      untilMs: signedUpAtMs + YEAR_MS,
      state: "credited",
      ...changes,
    };
    tx.accounts.save({ ...account, referral });
  });
}
