/**
 * People whom the demo's data has none of: one who is on the way to a first bid,
 * one who recommends Spotlight, and a client that asks somebody to connect it.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { AUTHORIZATION_REQUEST_MS } from "../../../domain/oauth/authorization_request.ts";
import { RESOURCES } from "../../../domain/oauth/resource.ts";
import { emptyBalance } from "../../../domain/partners/partner_balance.ts";
import { addMonths, monthOf, startOfMonthMs } from "../../../domain/month.ts";
import { withStanding } from "../../../domain/partners/standing.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { approvedCreative, readyAccount } from "../bidding_world.ts";
import { savePartner } from "../partners.ts";

/** Who has a company, a card and ads, and no verified identity. */
export const MIDWAY_EMAIL = "nina@kaffee-nord.example.com";
/** Whom readers came from. */
export const PARTNER_EMAIL = "grace@newsletter.example.com";
/** The ads of the first, by what became of each. */
export const ADS = {
  draft: "ad_00000000000000000001",
  rejected: "ad_00000000000000000002",
} as const;
/** What a client waits to be allowed. */
export const CONSENT = "areq_00000000000000000001";

/** Fills them in. */
export async function fillPeople(services: Services): Promise<void> {
  const { store } = services;
  await fillMidway(services, await accountOf(store, MIDWAY_EMAIL));
  await fillPartner(services, await accountOf(store, PARTNER_EMAIL));
  await askForConsent(services);
}

async function accountOf(store: Store, email: string): Promise<Account> {
  const found = await store.accountEmails.find(email);
  const account = await store.accounts.find(found?.accountId ?? "");
  assert(account !== null, email);
  return account;
}

async function fillMidway(
  { store, clock }: Services,
  account: Account,
): Promise<void> {
  const { id: _, email: __, company, ...ready } = readyAccount("midway");
  assert(company);
  const { id: accountId } = account;
  const ad: Creative = {
    ...approvedCreative("midway"),
    accountId,
    headline: "Roasted on Monday, at yours on Tuesday",
    description: "Single-origin beans from farms that we visit, in small bags.",
    targetUrl: "https://www.kaffee-nord.example.com/start",
    state: "draft",
    adId: ADS.draft,
    createdAtMs: clock.now(),
  };
  await store.transact((tx) => {
    tx.accounts.save({
      ...account,
      ...ready,
      company: { ...company, name: "Kaffee Nord GmbH" },
      identityStatus: "unverified",
      createdAtMs: account.createdAtMs,
    });
    tx.paymentMethods.save({
      id: "pm_midway",
      accountId,
      fingerprint: null,
      brand: "mastercard",
      last4: "4444",
      expMonth: 8,
      expYear: 2029,
      createdAtMs: clock.now(),
    });
    tx.creatives.save(ad);
    tx.creatives.save({
      ...ad,
      adId: ADS.rejected,
      headline: "The only coffee that makes you live longer",
      state: "rejected",
      rejection: {
        policyId: "deceptive",
        message: "Nobody can promise a longer life.",
        remedy: "Say what the coffee is like, and leave health out.",
      },
    });
  });
}

/** As if there had been links for half a year. */
async function fillPartner(
  services: Services,
  account: Account,
): Promise<void> {
  const { store, clock } = services;
  const nowMs = clock.now();
  const month = addMonths(monthOf(nowMs), -3);
  const { id: partnerId } = account;
  const partner = await savePartner(services, {
    partner: { accountId: partnerId },
    account: { ...account, partner: true },
  });
  await store.transact((tx) => {
    tx.accounts.save(withStanding({ ...account, partner: true }, partner));
    tx.referralLinks.save({
      code: "k3qd9vtzmwpx",
      partnerId,
      name: "Newsletter",
      state: "active",
      createdAtMs: startOfMonthMs(addMonths(month, -2)),
      endedAtMs: null,
    });
    tx.statements.save({
      partnerId,
      number: 1,
      fromMonth: addMonths(month, -1),
      throughMonth: month,
      amountCents: 123_456,
      takenBackCents: 0,
      invoices: 3,
      releasedAtMs: nowMs,
    });
    tx.partnerBalances.save({
      ...emptyBalance(partnerId),
      payableCents: 23_456,
      paidCents: 100_000,
      releasedThrough: month,
      statements: 1,
    });
    tx.signUpCounts.add(4, partnerId, month);
  });
}

function askForConsent({ store, clock }: Services): Promise<void> {
  return store.transact((tx) =>
    tx.authorizationRequests.save({
      id: CONSENT,
      client: {
        id: "dcr_00000000000000000001",
        name: "Bidding assistant",
        host: null,
        authentication: { method: "none" },
      },
      redirectUri: "http://127.0.0.1:10000/callback",
      state: null,
      outcome: {
        kind: "valid",
        asked: {
          scopes: [
            "account:read",
            "bids:read",
            "bids:write",
            "creatives:write",
          ],
          resources: RESOURCES,
          codeChallenge: "c".repeat(43),
        },
      },
      sessionHash: null,
      createdAtMs: clock.now(),
      expiresAtMs: clock.now() + AUTHORIZATION_REQUEST_MS,
    })
  );
}
