import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { newIdentityCheck } from "../../../../domain/identity/identity_check.ts";
import { REPEATED_IDENTITY_CHECKS } from "../../../../domain/rate_limit/policy.ts";
import { submit } from "../../../simulators/stripe/browser.ts";
import type { SignedInBrowser } from "../../../support/advertiser_site.ts";
import {
  type BillingSite,
  openBillingSite,
} from "../../../support/billing_site.ts";
import {
  IDENTITY_READY,
  identityReady,
} from "../../../support/identity_ready.ts";
import { until } from "../../../support/until.ts";
import { reasonText } from "../../../../routes/site/identity/identity_status.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

async function start(browser: SignedInBrowser): Promise<string> {
  const answer = await browser.post("/identity/start", "");
  assertEquals(answer.status, 303);
  return answer.headers.get("location") ?? "";
}

/** Chooses on the processor's page and follows the way back. */
async function choose(
  site: BillingSite,
  browser: SignedInBrowser,
  choice: string,
  error = "",
): Promise<string> {
  const { location } = await submit(await start(browser), { choice, error });
  const returned = await browser.get(new URL(location ?? "").pathname);
  assertEquals(returned.status, 303);
  // Who is verified goes on to the next step, whose page says so.
  const isVerified = choice === "verify";
  const next = isVerified ? "/creatives/new?done=identity" : "/identity";
  assertEquals(ledTo(returned), next);
  if (isVerified) {
    const shown = await site.textOf(browser, leadOf(returned));
    assertStringIncludes(shown, "Your identity is verified.");
  }
  return await site.textOf(browser, "/identity");
}

Deno.test("/identity leads to the processor's page, and back verified", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  const before = await site.textOf(browser, "/identity");
  assertStringIncludes(before, "You do this once");
  const text = await choose(site, browser, "verify");
  assertStringIncludes(
    text,
    "Your identity is verified since 20 November 2026",
  );
  assert(!text.includes("Try again"));
  const account = await site.services.store.accounts.find("acc_ada");
  assertEquals(account?.identityStatus, "verified");
  const again = await browser.post("/identity/start", "");
  assertEquals(again.headers.get("location"), "/identity");
});

for (
  const [choice, error, said] of [
    ["fail", "document_expired", "The document has expired"],
    ["fail", "selfie_face_mismatch", "The face did not match"],
    ["cancel", "", "The check was cancelled"],
    ["process", "", "Your document is being checked"],
  ] as const
) {
  Deno.test(`/identity says of ${choice} ${error} what it means, and lets one try again`, async () => {
    await using site = await openBillingSite();
    const browser = await site.browser("ada", IDENTITY_READY);
    const text = await choose(site, browser, choice, error);
    assertStringIncludes(text, said);
    assertStringIncludes(text, "Begin a new check");
    assertStringIncludes(
      await choose(site, browser, "verify"),
      "Your identity is verified",
    );
  });
}

Deno.test("/identity knows that a page was left", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  await start(browser);
  const returned = await browser.get("/identity/return");
  assertEquals(returned.headers.get("location"), "/identity");
  const text = await site.textOf(browser, "/identity");
  assertStringIncludes(text, "a check that is not complete yet");
});

Deno.test("every reason is said in plain words, unknown ones too", () => {
  const unknown = reasonText("something_new");
  for (const code of ["abandoned", "under_supported_age", "constructor", ""]) {
    assert(/^[A-Z].*\.$/.test(reasonText(code)), code);
  }
  assertEquals(reasonText("constructor"), unknown);
});

Deno.test("/identity says when the processor can't be reached, there and back", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  site.simulator.control.addFault({ kind: "rate_limit" });
  const answer = await browser.post("/identity/start", "");
  assertEquals(answer.status, 503);
  assertStringIncludes(await answer.text(), "can’t be reached right now");
  await start(browser);
  site.simulator.control.addFault({ kind: "rate_limit" });
  const returned = await browser.get("/identity/return");
  assertEquals(ledTo(returned), "/identity?done=unsure");
  const text = await site.textOf(browser, leadOf(returned));
  assertStringIncludes(text, "shows here by itself");
});

Deno.test("/identity begins five checks a day at most", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  for (let nth = 0; nth < 5; nth++) await start(browser);
  const answer = await browser.post("/identity/start", "");
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "86400");
  assertStringIncludes(await answer.text(), "try again tomorrow");
});

Deno.test("/identity says what comes before a check, and begins none", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada");
  for (
    const answer of [
      await browser.get("/identity"),
      await browser.post("/identity/start", ""),
    ]
  ) {
    const html = await answer.text();
    assertStringIncludes(html, 'href="/onboarding"');
    assertStringIncludes(html, 'href="/billing"');
    assert(!html.includes("/identity/start"), "no button that is refused");
  }
  const refused = await browser.post("/identity/start", "");
  assertEquals(refused.status, 409);
  const { store } = site.services;
  assertEquals(await store.identityChecks.find("acc_ada"), null);
});

Deno.test("accounts of one network begin ten checks a day together", async () => {
  await using site = await openBillingSite();
  const statuses: number[] = [];
  for (const name of ["ada", "eve", "mia"]) {
    const browser = await site.browser(name, IDENTITY_READY);
    for (let nth = 0; nth < 5; nth++) {
      const answer = await browser.post("/identity/start", "");
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      assertStringIncludes(await answer.text(), "Please try again later");
    }
  }
  const begun = statuses.filter((status) => status === 303);
  assertEquals(begun.length, 10);
  assertEquals(statuses.slice(10), Array(5).fill(429));
  assertEquals(await site.services.store.identityChecks.find("acc_mia"), null);
});

Deno.test("second checks of many networks leave checks to those who begin their first", async () => {
  await using site = await openBillingSite();
  for (let nth = 0; nth < 150; nth++) {
    const verdict = await site.limiter.takeAll([{
      id: "identity_checks:repeated",
      policy: REPEATED_IDENTITY_CHECKS,
    }], "elsewhere");
    assert(verdict.admitted);
  }
  const browser = await site.browser("ada", IDENTITY_READY);
  await start(browser);
  const again = await browser.post("/identity/start", "");
  assertEquals(again.status, 429);
  await start(await site.browser("eve", identityReady("DE999999999")));
});

Deno.test("/identity names whom to write to once fifteen checks were begun", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  await site.services.store.transact((tx) => {
    const startedAtMs = site.services.clock.now();
    tx.identityChecks.save({
      ...newIdentityCheck("acc_ada"),
      count: 15,
      tries: [{ startedAtMs, sessionId: "vs_1" }],
    });
  });
  const answer = await browser.post("/identity/start", "");
  assertEquals(answer.status, 429);
  const { email } = site.services.settings.seller;
  assertStringIncludes(await answer.text(), `Please write to ${email}`);
});

Deno.test("/identity needs a session and our own Origin", async () => {
  await using site = await openBillingSite();
  const page = await site.visitor("/identity");
  assertEquals(page.headers.get("location"), "/sign-in?next=%2Fidentity");
  const browser = await site.browser("ada", IDENTITY_READY);
  for (const origin of [null, "https://evil.example"]) {
    const answer = await browser.post("/identity/start", "", { origin });
    assertEquals(answer.status, 403);
  }
  assertEquals(await site.services.store.identityChecks.find("acc_ada"), null);
});

Deno.test("who comes back again and again while the processor is slow is shown all other pages", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", IDENTITY_READY);
  const { control } = site.simulator;
  const { location } = await submit(await start(browser), { choice: "fail" });
  const back = new URL(location ?? "").pathname;
  control.addFault({ kind: "hold", method: "GET", times: 5 });
  const waiting = Array.from({ length: 5 }, () => browser.get(back));
  await until(() => control.faults().every(({ struck }) => struck === 5));
  assertEquals((await browser.get("/account")).status, 200);
  control.clearFaults();
  control.releaseRequests();
  for (const answer of await Promise.all(waiting)) {
    assertEquals(answer.status, 303);
  }
});
