import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { suspendAccount } from "../../../../domain/accounts/suspend_account.ts";
import { emptyBalance } from "../../../../domain/partners/partner_balance.ts";
import type { Month } from "../../../../domain/month.ts";
import { ADDRESS_BUCKET_CAPACITY } from "../../../../domain/rate_limit/policy.ts";
import { sendPayouts } from "../../../../domain/partners/send_payouts.ts";
import { PARTNER_TERMS_VERSION } from "../../../../domain/partners/limits.ts";
import { submit } from "../../../simulators/stripe/browser.ts";
import { linesOf } from "../../../simulators/stripe/pdf_text.ts";
import type { SignedInBrowser } from "../../../support/advertiser_site.ts";
import {
  type BillingSite,
  openBillingSite,
} from "../../../support/billing_site.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { ledTo } from "../../../support/led_to.ts";

const ID = "acc_grace";
const MONTH = "2026-08" as Month;

/** The site, and an approved partner with EUR 120 and no account yet. */
async function open() {
  const site = await openBillingSite();
  const browser = await site.browser("grace");
  const { store, clock } = site.services;
  const nowMs = clock.now();
  await store.transact((tx) => {
    tx.partners.save({
      accountId: ID,
      state: "approved",
      terms: { version: PARTNER_TERMS_VERSION, acceptedAtMs: nowMs },
      pitch: "A newsletter for makers",
      appliedAtMs: nowMs,
      decidedAtMs: nowMs,
      reason: "Welcome",
      links: 0,
      connectedAccount: null,
    });
    tx.partnerBalances.save({
      ...emptyBalance(ID),
      payableCents: 12_000,
      releasedThrough: MONTH,
      statements: 1,
    });
    tx.statements.save({
      partnerId: ID,
      number: 1,
      fromMonth: "2026-07" as Month,
      throughMonth: MONTH,
      amountCents: 12_000,
      takenBackCents: 0,
      invoices: 3,
      releasedAtMs: nowMs,
    });
  });
  return { site, browser };
}

/** Sets the account up, as far as `choice` goes. */
async function setUp(
  site: BillingSite,
  browser: SignedInBrowser,
  choice: string,
  form = "country=AT",
): Promise<string> {
  const led = await browser.post("/partner/set-up", form);
  assertEquals(led.status, 303);
  const page = led.headers.get("location") ?? "";
  const { location } = await submit(page, { choice });
  const back = await browser.get(new URL(location ?? page).pathname);
  assertEquals(back.headers.get("location"), "/partner");
  return await site.textOf(browser, "/partner");
}

Deno.test("/partner leads to the processor's page and asks for a payout, which is sent", async () => {
  const { site, browser } = await open();
  await using _ = site;
  const before = await site.textOf(browser, "/partner");
  assertStringIncludes(before, "Where you are paid");
  assert(!before.includes("Ask for a payout"));
  const checked = await setUp(site, browser, "in_review");
  assertStringIncludes(checked, "is looking at what you gave");
  const [account] = site.simulator.control.objects("account");
  assertEquals(account?.metadata["account_id"], ID);
  site.simulator.control.partners.turn(account?.id ?? "", "complete");
  await browser.get("/partner/set-up/return");
  const ready = await site.textOf(browser, "/partner");
  assert(!ready.includes("Where you are paid"));
  assertStringIncludes(ready, "Ask for a payout");
  site.simulator.control.partners.topUp(50_000);
  const strange = ["", "a".repeat(32), "a".repeat(5_000), `${"a".repeat(42)}~`];
  for (const token of strange) {
    const asked = await browser.post("/partner/payouts", `token=${token}`);
    assertEquals(asked.status, 200, "no token of a page: it is asked again");
    assertStringIncludes(await asked.text(), "Ask for a payout?");
  }
  const token = "a".repeat(43);
  for (let sent = 0; sent < 2; sent++) {
    const asked = await browser.post("/partner/payouts", `token=${token}`);
    assertEquals(
      ledTo(asked),
      "/partner?done=payout#payouts",
    );
  }
  await sendPayouts(site.services);
  assertStringIncludes(await site.textOf(browser, "/partner"), "120.00Paid");
  const [transfer] = site.simulator.control.objects("transfer");
  assertEquals(transfer?.amount, 12_000);
});

Deno.test("the way back from the processor's page asks it no more often than any change of an account may be made", async () => {
  const { site, browser } = await open();
  await using _ = site;
  await setUp(site, browser, "complete");
  let asked = 0;
  const statuses = new Set<number>();
  for (; asked < 200 && !statuses.has(429); asked++) {
    const { status } = await browser.get("/partner/set-up/return");
    statuses.add(status);
  }
  assertEquals([...statuses], [303, 429]);
  assert(asked <= ADDRESS_BUCKET_CAPACITY, `asked ${asked} times`);
  assertEquals((await browser.get("/partner")).status, 200);
});

Deno.test("/partner says that payouts wait while the account is suspended", async () => {
  const { site, browser } = await open();
  await using _ = site;
  await setUp(site, browser, "complete");
  const [account] = site.simulator.control.objects("account");
  site.simulator.control.partners.turn(account?.id ?? "", "complete");
  await browser.get("/partner/set-up/return");
  assertStringIncludes(
    await site.textOf(browser, "/partner"),
    "Ask for a payout",
  );
  const by = { kind: "operator_key" } as const;
  const order = { accountId: ID, by, reason: "We look into it", about: null };
  await suspendAccount(site.services, order);
  const held = await site.textOf(browser, "/partner");
  assert(!held.includes("Ask for a payout"));
  assertStringIncludes(held, "payouts wait until that is lifted");
  const token = "a".repeat(43);
  const asked = await browser.post("/partner/payouts", `token=${token}`);
  assertEquals(asked.status, 409);
  const text = await asked.text();
  assertStringIncludes(text, "Payouts wait while your account is suspended");
  assertStringIncludes(text, 'href="/account"');
});

Deno.test("/partner says what an account waits for that can't be paid", async () => {
  const { site, browser } = await open();
  await using _ = site;
  const begun = await browser.post("/partner/set-up", "country=AT");
  assertEquals(begun.status, 303);
  const left = await site.textOf(browser, "/partner");
  assertStringIncludes(left, "You have not finished");
  const text = await setUp(site, browser, "reject", "");
  assertStringIncludes(text, "does not pay you");
  const [account] = site.simulator.control.objects("account");
  const { partners } = site.simulator.control;
  partners.turn(account?.id ?? "", "bank_refused");
  await browser.get("/partner/set-up/return");
  const bank = await site.textOf(browser, "/partner");
  assertStringIncludes(bank, "needs something more from you");
  const again = await browser.get("/partner/set-up/again");
  assertEquals(ledTo(again), "/partner?done=set-up-again");
});

Deno.test("/partner/set-up refuses who names no country, who is no partner, and a processor that does not answer", async () => {
  const { site, browser } = await open();
  await using _ = site;
  for (const country of ["", "ZZ", "%C3%96", "Austria"]) {
    const none = await browser.post("/partner/set-up", `country=${country}`);
    assertEquals(none.status, 400);
    const html = await none.text();
    assertStringIncludes(html, "choose your country");
    assertFaults(html, ["country"]);
  }
  const other = await site.browser("bob");
  assertEquals((await other.post("/partner/set-up", "")).status, 403);
  site.simulator.control.addFault({
    kind: "rate_limit",
    path: "/v1/accounts",
  });
  const busy = await browser.post("/partner/set-up", "country=AT");
  assertEquals(busy.status, 503);
  assertEquals(site.simulator.control.objects("account"), []);
});

Deno.test("a statement is a PDF of its own partner, the same each time, and nobody else's", async () => {
  const { site, browser } = await open();
  await using _ = site;
  const page = await (await browser.get("/partner")).text();
  assertStringIncludes(page, 'href="/partner/statements/1/pdf"');
  const read = async () => {
    const answer = await browser.get("/partner/statements/1/pdf");
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "application/pdf");
    return await answer.bytes();
  };
  const pdf = await read();
  const printed = (await linesOf(pdf)).join("\n");
  assertStringIncludes(printed, "Commission statement 1");
  assertStringIncludes(printed, "July 2026 to August 2026");
  assertStringIncludes(printed, "120.00");
  assertEquals(await read(), pdf);
  for (const number of ["2", "0", "01", "x", "-1", "9".repeat(40)]) {
    const answer = await browser.get(`/partner/statements/${number}/pdf`);
    assertEquals(answer.status, 404, number);
  }
  const other = await site.browser("bob");
  const theirs = await other.get("/partner/statements/1/pdf");
  assertEquals(theirs.status, 404);
});

Deno.test("/operator/partners names each account, and why a payout waits", async () => {
  const { site, browser } = await open();
  await using _ = site;
  await setUp(site, browser, "complete");
  await browser.post("/partner/payouts", `token=${"b".repeat(43)}`);
  await sendPayouts(site.services);
  const desk = await site.browser("operator");
  const text = await site.textOf(desk, "/operator/partners");
  assertStringIncludes(text, "Can be paid");
  assertStringIncludes(text, "1 attempt so far: balance_insufficient");
});

Deno.test("/partner shows a refused application again with what was typed and what was in the way", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("bob");
  const apply = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form);
    const answer = await browser.post("/partner/apply", body);
    return { status: answer.status, html: await answer.text() };
  };
  const short = await apply({ pitch: "Too short", terms: "yes" });
  assertEquals(short.status, 400);
  assertStringIncludes(short.html, "Too short</textarea>");
  assertFaults(short.html, ["pitch"]);
  assertStringIncludes(short.html, 'name="terms" value="yes" checked=""');
  const unread = await apply({ pitch: "A newsletter for makers of lamps" });
  assertEquals(unread.status, 400);
  assertFaults(unread.html, ["terms"]);
  assertStringIncludes(unread.html, "Accept the terms of the programme");
  assertStringIncludes(unread.html, "makers of lamps</textarea>");
  assertFaults((await apply({})).html, ["pitch", "terms"]);
});

Deno.test("/partner shows a link's name again that can't be taken, with what is wrong", async () => {
  const { site, browser } = await open();
  await using _ = site;
  const long = "n".repeat(61);
  const body = new URLSearchParams({ name: long });
  const answer = await browser.post("/partner/links", body);
  assertEquals(answer.status, 400);
  const html = await answer.text();
  assertFaults(html, ["name"]);
  assertStringIncludes(html, `value="${long}"`);
  assertStringIncludes(html, "<details open><summary>Make another link");
});

Deno.test("/partner makes one link of a form that is sent twice, and another of another name", async () => {
  const { site, browser } = await open();
  await using _ = site;
  const html = await (await browser.get("/partner")).text();
  const [, token = ""] = html.match(/name="token" value="([^"]+)"/) ?? [];
  const make = async (name: string) => {
    const body = new URLSearchParams({ name, token });
    const answer = await browser.post("/partner/links", body);
    assertEquals(
      ledTo(answer),
      "/partner?done=link-made#links",
    );
  };
  await Promise.all([make("Podcast"), make("Podcast")]);
  await make("Podcast");
  await make("Newsletter");
  const links = await site.services.store.listReferralLinks(ID, { limit: 9 });
  assertEquals(
    links.map(({ name }) => name).toSorted(),
    ["Newsletter", "Podcast"],
  );
  const partner = await site.services.store.partners.find(ID);
  assertEquals(partner?.links, 2);
});
