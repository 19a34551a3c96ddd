import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";

const ACCOUNT = "/operator/accounts/acc_ada";

/** What is decided at the desk, and whether it takes a fresh sign-in. */
const CHANGES = [
  [`${ACCOUNT}/suspend`, true],
  [`${ACCOUNT}/lift_suspension`, true],
  [`${ACCOUNT}/lift_block`, true],
  [`${ACCOUNT}/lift_refusal`, true],
  [`${ACCOUNT}/approve_name`, true],
  [`${ACCOUNT}/refuse_name`, true],
  [`${ACCOUNT}/approve_vat`, true],
  [`${ACCOUNT}/decline_vat`, true],
  [`${ACCOUNT}/release_vat`, true],
  ["/operator/hold", true],
  ["/operator/money/events/evt_1/retry", true],
  ["/operator/review/ad_ada/approve", false],
  ["/operator/review/ad_ada/reject", false],
  ["/operator/review/ad_ada/withdraw", false],
  ["/operator/review/reports/close", false],
] as const;

/** A desk whose operator signed in more than 10 minutes ago. */
async function openStaleDesk() {
  const site = await openAdvertiserSite();
  await site.world.agent("ada");
  const email = "operator@example.com";
  const desk = await site.browser("operator", { email });
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  return { site, desk };
}

Deno.test("what the desk decides about accounts, the hold and money takes a sign-in of the last 10 minutes, reviews do not", async () => {
  const { site, desk } = await openStaleDesk();
  await using _ = site;
  for (const [path, takesFresh] of CHANGES) {
    const fields = new URLSearchParams({ reason: "Why.", confirmed: "yes" });
    const answer = await desk.post(path, fields);
    const html = await answer.text();
    assertEquals(html.includes("Please sign in again"), takesFresh, path);
    assertEquals(answer.status === 401, takesFresh, path);
  }
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals(ada?.suspendedAtMs, null);
});

Deno.test("what an operator typed survives another sign-in, and is confirmed after it", async () => {
  const { site, desk } = await openStaleDesk();
  await using _ = site;
  const typed = { reason: "It sells <nothing>.", about: "" };
  const path = `${ACCOUNT}/suspend`;
  const sent = new URLSearchParams({ ...typed, confirmed: "yes" });
  const stale = await (await desk.post(path, sent)).text();
  assertStringIncludes(stale, "Nothing was done.");
  assertStringIncludes(stale, `action="${path}"`);
  assertStringIncludes(stale, 'value="It sells &lt;nothing&gt;."');
  assert(!stale.includes("confirmed"), "that is asked for again");
  await desk.signInAgain();
  const page = await (await desk.post(path, new URLSearchParams(typed))).text();
  assertStringIncludes(page, "Suspend the account?");
  const before = await site.services.store.accounts.find("acc_ada");
  assertEquals(before?.suspendedAtMs, null);
  await desk.post(path, sent);
  const after = await site.services.store.accounts.find("acc_ada");
  assertEquals(after?.suspensionReason, typed.reason);
});

Deno.test("what an operator ticked of a restored store survives another sign-in", async () => {
  const { site, desk } = await openStaleDesk();
  await using _ = site;
  const ticked = new URLSearchParams([
    ["acknowledge", "one"],
    ["acknowledge", "two"],
  ]);
  const stale = await (await desk.post("/operator/hold", ticked)).text();
  const kept = [...stale.matchAll(/name="acknowledge" value="(\w+)"/g)];
  assertEquals(kept.map(([, name]) => name), ["one", "two"]);
});

Deno.test("nobody but an operator is asked for another sign-in at the desk", async () => {
  const { site } = await openStaleDesk();
  await using _ = site;
  const eve = await site.browser("eve");
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  for (const [path] of CHANGES) {
    assertEquals((await eve.post(path, "")).status, 404, path);
  }
});
