import { TEST_KEYS } from "../../../support/keys.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { suspendAccount } from "../../../../domain/accounts/suspend_account.ts";
import { pageOf } from "../../../../domain/pages.ts";
import { signedInBrowser } from "../../../support/browser.ts";
import { openSite, TEST_SETTINGS } from "../../../support/site_app.ts";
import type { Account } from "../../../../domain/accounts/account.ts";
import type { Dispute } from "../../../../domain/disputes/dispute.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import {
  approvedCreative,
  BID_DAY,
  readyAccount,
} from "../../../support/bidding_world.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";

const ADA = "ada@example.com";

/** The dashboard of an account with these changes. */
async function dashboard(
  site: AdvertiserSite,
  changes: Partial<Account> = {},
): Promise<string> {
  const browser = await site.browser("ada", changes);
  const answer = await browser.get("/account");
  assertEquals(answer.status, 200);
  return await answer.text();
}

/** What the page's only primary button says; null for none. */
function mainButton(page: string): string | null {
  const [, inside = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  const buttons = [...inside.matchAll(/class="button main"[^>]*>([^<]*)</g)];
  assert(buttons.length <= 1, "one primary action");
  return buttons[0]?.[1] ?? null;
}

/** What a ready account has that cannot be missing one by one. */
const READY: Partial<Account> = (() => {
  const { id: _, email: __, ...ready } = readyAccount("ada");
  return ready;
})();

async function approve(site: AdvertiserSite): Promise<void> {
  await site.services.store.transact((tx) =>
    tx.creatives.save(approvedCreative("ada"))
  );
}

Deno.test("each step to the first bid is shown with the one button that takes it", async () => {
  await using site = await openAdvertiserSite();
  const seen: (string | null)[] = [];
  const company = READY.company ?? null;
  const steps: Partial<Account>[] = [
    {},
    { company },
    { vatStatus: "valid" },
    { defaultPaymentMethodId: "pm_ada" },
    READY,
  ];
  for (const changes of steps) {
    seen.push(mainButton(await dashboard(site, changes)));
  }
  await approve(site);
  seen.push(mainButton(await dashboard(site)));
  assertEquals(seen, [
    "Enter your company",
    "See your VAT id",
    "Save a card",
    "Prove your identity",
    "Write your ad",
    "Place a bid",
  ]);
});

Deno.test("an ad is followed from draft to decision, and a company elsewhere reads that it can't advertise", async () => {
  await using site = await openAdvertiserSite();
  const wanted = {
    draft: "Your draft has not been submitted yet.",
    submitted: "A person is reviewing your ad",
    rejected: "Your ad was rejected.",
  } as const;
  for (const [state, says] of Object.entries(wanted)) {
    await site.services.store.transact((tx) =>
      tx.creatives.save({
        ...approvedCreative("ada"),
        state: state as keyof typeof wanted,
      })
    );
    assertStringIncludes(await dashboard(site, READY), says);
  }
  assert(READY.company);
  const page = await dashboard(site, {
    ...READY,
    vatStatus: "unverified",
    company: { ...READY.company, country: "US", vatId: null },
  });
  assertStringIncludes(page, "outside the European Union can’t advertise yet");
});

Deno.test("tonight's bid stands on the dashboard, with the way to raise it", async () => {
  await using site = await openAdvertiserSite();
  await approve(site);
  assertStringIncludes(await dashboard(site, READY), "You have not bid.");
  await site.services.store.transact((tx) =>
    tx.bids.save({
      id: "bid_1",
      day: BID_DAY,
      accountId: "acc_ada",
      adId: "ad_ada",
      amountCents: 12_345,
      status: "active",
      placedAtMs: site.world.clock.now(),
      paymentMethodId: "pm_ada",
      grantId: null,
    })
  );
  const page = await dashboard(site);
  assertStringIncludes(page, "EUR 123.45");
  assertStringIncludes(page, "Headline of ada");
  assertStringIncludes(page, "Raise your bid");
});

Deno.test("trouble comes first: a refused card says which, since when, and what to do", async () => {
  await using site = await openAdvertiserSite();
  await approve(site);
  await site.services.store.transact((tx) =>
    tx.paymentMethods.save({
      id: "pm_ada",
      accountId: "acc_ada",
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2030,
      createdAtMs: 0,
      refusedAtMs: Date.parse("2026-11-18T23:57:00.000Z"),
    })
  );
  const page = await dashboard(site, { ...READY, cardRefused: true });
  assertStringIncludes(page, "Your card was refused");
  assertStringIncludes(page, "Visa ending in 4242 could not be charged");
  assertStringIncludes(page, "2026-11-18T23:57:00.000Z");
  assertEquals(mainButton(page), "Replace your card");
  assert(page.indexOf("was refused") < page.indexOf("Tonight’s auction"));
});

Deno.test("trouble comes first: a dispute says what, since when, and what to do; a lost one whom to ask", async () => {
  await using site = await openAdvertiserSite();
  await approve(site);
  const dispute: Dispute = {
    id: "dp_1",
    state: "open",
    amountCents: 9_900,
    heldCents: 9_900,
    lostCents: 0,
    dueCents: 0,
    paymentId: "pi_1",
    accountId: "acc_ada",
    invoiceId: "in_1",
    reason: "fraudulent",
    openedAtMs: Date.parse("2026-11-17T10:00:00.000Z"),
    evidenceDueAtMs: null,
    movementIds: [],
    moves: 1,
  };
  await site.services.store.transact((tx) => tx.disputes.save(dispute));
  const open = { disputeOpen: true, blockingDisputes: ["dp_1"] };
  const page = await dashboard(site, { ...READY, ...open });
  assertStringIncludes(page, "EUR 99.00");
  assertStringIncludes(page, "2026-11-17T10:00:00.000Z");
  assertStringIncludes(page, "tell your bank that you withdraw");
  assertEquals(mainButton(page), null);
  const lost = await dashboard(site, {
    lostDisputes: ["dp_1"],
    disputeLostAtMs: Date.parse("2026-11-19T10:00:00.000Z"),
  });
  assertStringIncludes(lost, "A disputed payment was taken back");
  assertStringIncludes(lost, "2026-11-19T10:00:00.000Z");
  assert(!lost.includes("A payment of yours is disputed"));
  // Rows of earlier versions say only that there is one.
  const old = await dashboard(site, {
    disputeOpen: true,
    blockingDisputes: [],
    lostDisputes: [],
  });
  assertStringIncludes(old, "A payment of yours is disputed");
});

Deno.test("the last day that was won is told with its clicks and what one cost, and agents with what they have left", async () => {
  await using site = await openAdvertiserSite();
  await approve(site);
  const none = await dashboard(site, READY);
  assert(!none.includes("Your last Spotlight"));
  assertStringIncludes(none, "No agent is connected.");
  await site.world.agent("ada", {
    mandate: { dailyCapCents: 20_000 },
  });
  const { store } = site.services;
  await settle(store, spotlight("2026-11-18", { accountId: "acc_ada" }));
  await settle(
    store,
    spotlight("2026-11-19", { accountId: "acc_ada", headline: "Second <day>" }),
  );
  await store.transact((tx) => {
    const day = spotlight("2026-11-19").day;
    tx.bids.save({
      id: "bid_2",
      day,
      accountId: "acc_ada",
      adId: "ad_ada",
      amountCents: 10_000,
      status: "active",
      placedAtMs: 0,
      paymentMethodId: "pm_ada",
      grantId: null,
    });
    tx.clickCounts.add(8, day, "outcome", "human");
  });
  const page = await dashboard(site);
  assertStringIncludes(page, 'href="/reports/2026-11-19"');
  assertStringIncludes(page, "Second &lt;day&gt;");
  assertStringIncludes(page, "EUR 100.00");
  assertStringIncludes(page, "EUR 12.50");
  assertStringIncludes(page, "EUR 0.00 used today, EUR 200.00 left");
});

Deno.test("a suspended account reads why, and whom to ask", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const { store, clock, ids } = site.test;
  const accountId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  const { log } = site;
  const settings = TEST_SETTINGS;
  const services = { store, clock, ids, log, keys: TEST_KEYS, settings };
  await suspendAccount(services, {
    accountId,
    by: { kind: "operator_key" },
    reason: "Orders were <not> delivered.",
    about: null,
  });
  const page = await (await browser.get(pageOf("suspended"))).text();
  assertStringIncludes(page, "Your account is suspended");
  assertStringIncludes(page, "Orders were &lt;not&gt; delivered.");
  assertStringIncludes(page, `mailto:${TEST_SETTINGS.seller.email}`);
});

Deno.test("an operator's account reads that it can never bid, and what to do", async () => {
  await using site = await openSite();
  const [email] = TEST_SETTINGS.operatorEmails;
  const operator = await signedInBrowser(site, email);
  const page = await (await operator.get(pageOf("operator_account"))).text();
  assertStringIncludes(page, "which can never bid");
  const browser = await signedInBrowser(site);
  const other = await (await browser.get("/account")).text();
  assert(!other.includes("which can never bid"));
});

Deno.test("the last day that was won says that its Spotlight was removed, and why", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const won = spotlight("2026-11-19", { accountId: "acc_ada" });
  const removed = { ...won, removedAtMs: won.settledAtMs + 1 };
  await settle(store, { ...removed, removalReason: "A court <forbade> it" });
  const page = await dashboard(site, READY);
  assertStringIncludes(
    page.replaceAll(/\s+/g, " "),
    "– we removed this Spotlight: <bdi>A court &lt;forbade&gt; it</bdi>",
  );
  // An erasure or a row of before may have left no words.
  await settle(store, { ...removed, removalReason: null });
  const bare = await dashboard(site, READY);
  assertStringIncludes(bare, "– we removed this Spotlight");
  assert(!bare.includes("<bdi>A court"));
});
