/**
 * What the demo's data has none of: texts as long as may be and of another
 * script, every kind of invoice, and what waits for an operator.
 *
 * @module
 */
import { assert } from "@std/assert";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { createCreative } from "../../../domain/creatives/create_creative.ts";
import { addDays, type Day, DAY_MS, dayOf } from "../../../domain/day.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import { approvedCreative, readyAccount } from "../bidding_world.ts";
import { invoiceOf, saveInvoice } from "../invoices.ts";
import { dayText, settle, spotlight } from "../public_spotlights.ts";
import { troubledEvent } from "../troubled_event.ts";

/** Whose account has the long texts. */
export const LONG_EMAIL =
  "buchhaltung.und.werbung@donaudampfschifffahrtsgesellschaft.example.com";

/** 60 characters without a place to break. */
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauten1";
const ARABIC = "تعلّم صناعة الفخار في يوم واحد";
/** A host of 120 characters. */
const LONG_HOST = `${"a".repeat(54)}.${"b".repeat(57)}.example`;
/** Its day in the archive. */
export const LONG_DAY: Day = dayText("2026-11-05");

/** Fills it in, for somebody who has won days and for the account of long texts. */
export async function fillFurther(
  services: Services,
  advertiser: string,
): Promise<void> {
  const [own, long] = await Promise.all(
    [advertiser, LONG_EMAIL].map((email) => accountIdOf(services, email)),
  );
  assert(own !== undefined && long !== undefined);
  await fillLong(services, long);
  await bidFor(services, own, "pm_1", 9_900);
  await fillDesk(services, own);
}

async function accountIdOf({ store }: Services, email: string) {
  const found = await store.accountEmails.find(email);
  assert(found !== null, email);
  return found.accountId;
}

async function fillLong(services: Services, accountId: string) {
  const { store, clock } = services;
  const { id: _, email: __, ...ready } = readyAccount("long");
  assert(ready.company);
  const company = { ...ready.company, name: `${ARABIC} ${LONG}` };
  const copy = {
    headline: LONG,
    description: `${ARABIC}. ${LONG.repeat(3)}`,
    targetUrl: `https://${LONG_HOST}/`,
  };
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, ...ready, company });
    tx.creatives.save({ ...approvedCreative("long"), ...copy, accountId });
    tx.paymentMethods.save({
      id: "pm_long",
      accountId,
      fingerprint: null,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2099,
      createdAtMs: clock.now(),
    });
  });
  const shown = { ...copy, accountId, advertiser: company.name };
  await settle(store, spotlight(LONG_DAY, shown));
  await createGrant(services, {
    accountId,
    clientId: "client_long",
    clientName: `وكيل ${LONG}`,
    scopes: ["account:read", "bids:read", "bids:write"],
    mandate: {
      maxBidCents: 100_000_000,
      dailyCapCents: 100_000_000,
      validUntilMs: clock.now() + 30 * DAY_MS,
    },
  });
  await bidFor(services, accountId, "pm_long", 100_000_000);
  await saveInvoices(services, accountId);
}

/** A bid of today that stands. */
async function bidFor(
  { store, clock }: Services,
  accountId: string,
  paymentMethodId: string,
  amountCents: number,
): Promise<void> {
  const [creative] = await store.listCreatives(accountId, { limit: 1 });
  const account = await store.accounts.find(accountId);
  await store.transact((tx) =>
    tx.bids.save({
      id: `bid_${accountId}`,
      day: dayOf(clock.now()),
      accountId,
      adId: creative?.adId ?? "ad_long",
      amountCents,
      status: "active",
      placedAtMs: clock.now(),
      paymentMethodId: account?.defaultPaymentMethodId ?? paymentMethodId,
      grantId: null,
    })
  );
}

/** An invoice in each state that there is, newest first. */
const KINDS: readonly Partial<Invoice>[] = [
  { state: "open", money: "none", paidAtMs: null, taxCents: 0 },
  {},
  { money: "refunding" },
  { money: "written_off" },
  { state: "uncollectible", money: "none", paidAtMs: null },
  { state: "void", money: "none", paidAtMs: null, totalCents: 100_000_000 },
];

async function saveInvoices(services: Services, accountId: string) {
  const nowMs = services.clock.now();
  for (const [nth, changes] of KINDS.entries()) {
    const finalizedAtMs = nowMs - (nth + 1) * DAY_MS;
    await saveInvoice(
      services,
      invoiceOf(accountId, `SPOT-${1_000 + nth}`, {
        day: dayOf(finalizedAtMs),
        finalizedAtMs,
        ...changes,
      }),
    );
  }
}

/** An ad to review, reports by readers, and books that differ. */
async function fillDesk(services: Services, accountId: string) {
  const { store, clock } = services;
  const owner = { accountId, grantId: null, binding: null };
  const { answer } = await createCreative(services, {
    ...owner,
    typed: {
      headline: "A light for every wheel",
      description: "Dynamo lamps that need no battery, made in Bremen.",
      targetUrl: "https://www.nordlicht-raeder.example.com/licht",
    },
  });
  const { ad_id: adId } = JSON.parse(answer.body);
  await submitCreative(services, { ...owner, adId });
  await saveTrouble(store, clock.now());
}

async function saveTrouble(store: Store, nowMs: number): Promise<void> {
  await store.transact((tx) => {
    tx.adReports.save({
      id: "report_00000000000000000001",
      day: LONG_DAY,
      policyId: "deceptive",
      text: `It is not true: ${LONG}`,
      reportedAtMs: nowMs - 3_600_000,
      closedAtMs: null,
      expiresAtMs: nowMs + DAY_MS,
    });
    tx.reconciliations.save({
      day: addDays(dayOf(nowMs), -1),
      ranAtMs: nowMs,
      movements: 12,
      entries: 11,
      invoices: 2,
      differences: [{
        kind: "not_booked",
        movementId: "txn_3PXrBQ126YT3YcwN0000007x",
        paymentId: "pi_3KrBQ126YT3YcwN0000007x",
        amountCents: -12_345,
      }],
      moreDifferences: 3,
    });
    tx.webhookEvents.save(
      troubledEvent("evt_1QXrBQ126YT3YcwN0000007x", nowMs, {
        type: "payment_intent.amount_capturable_updated",
        objectId: "pi_3KrBQ126YT3YcwN0000007x",
      }),
    );
  });
}
