import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { EXPORTS_PATH } from "../../../../routes/site/privacy/privacy_paths.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { savePasskeys } from "../../../support/passkeys.ts";

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
  ["/operator/days/2026-11-20/close", true],
  ["/operator/days/2026-11-20/settle", true],
  ["/operator/days/2026-11-20/remove", true],
  ["/operator/days/2026-11-20/refund", true],
  ["/operator/hold", true],
  ["/operator/jobs/rotate-click-salts/run", true],
  ["/operator/house-ads/make", false],
  ["/operator/keys", true],
  ["/operator/keys/opk_1/end", true],
  ["/operator/money/events/evt_1/retry", true],
  ["/operator/review/ad_ada/approve", false],
  ["/operator/review/ad_ada/reject", false],
  ["/operator/review/ad_ada/withdraw", false],
  ["/operator/reports/2026-11-19/close", false],
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

Deno.test("what the desk decides about accounts, days, the hold and money takes a sign-in of the last 10 minutes, reviews do not", async () => {
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
  const next = encodeURIComponent("/operator/accounts");
  assertStringIncludes(
    stale,
    `<a href="/sign-in?next=${next}" target="_blank">Sign in</a>`,
  );
  await desk.signInAgain();
  const page = await (await desk.post(path, new URLSearchParams(typed))).text();
  assertStringIncludes(page, "Suspend the account?");
  const before = await site.services.store.accounts.find("acc_ada");
  assertEquals(before?.suspendedAtMs, null);
  await actAtDesk(desk, path, typed);
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

Deno.test("an operator who has a passkey decides nothing by a mere code, and everything by the passkey", async () => {
  await using site = await openAdvertiserSite();
  await site.world.agent("ada");
  const email = "operator@example.com";
  const desk = await site.browser("operator", { email });
  const typed = new URLSearchParams({ reason: "It sells nothing." });
  const path = `${ACCOUNT}/suspend`;
  assertEquals((await desk.post(path, typed)).status, 200, "none yet: a code");
  await savePasskeys(site.services, desk, ["pk_1"]);
  for (const [each, takesFresh] of CHANGES) {
    const answer = await desk.post(each, new URLSearchParams(typed));
    const html = await answer.text();
    const kind = takesFresh
      ? "and yours by passkey"
      : "sign-in by your passkey";
    assertStringIncludes(html, kind, each);
    assertEquals(answer.status, 401, each);
  }
  assertEquals((await desk.get("/operator/money")).status, 200, "it may look");
  await desk.signInAgain("passkey");
  await actAtDesk(desk, path, { reason: "It sells nothing.", about: "" });
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals(ada?.suspensionReason, "It sells nothing.");
  await desk.signInAgain("code");
  assertEquals((await desk.post(path, typed)).status, 401, "a code again");
});

Deno.test("an operator who has a passkey reviews nothing by a mere code, and by a passkey of hours ago goes on with what was typed", async () => {
  await using site = await openAdvertiserSite();
  const { adId } = await site.world.agent("ada");
  const desk = await site.browser("operator", {
    email: "operator@example.com",
  });
  await savePasskeys(site.services, desk, ["pk_1"]);
  const path = `/operator/review/${adId}/withdraw`;
  const typed = {
    policy_id: "deceptive",
    message: "It sells <nothing>.",
    remedy: "Sell something.",
  };
  const stateOf = async () =>
    (await site.services.store.creatives.find("acc_ada", adId))?.state;
  const sent = { ...typed, confirmed: "yes", token: "t".repeat(43) };
  const byCode = await desk.post(path, new URLSearchParams(sent));
  assertEquals(byCode.status, 401);
  const kept = await byCode.text();
  assertStringIncludes(kept, 'value="It sells &lt;nothing&gt;."');
  assert(!kept.includes("confirmed"), "that is asked for again");
  assertEquals(await stateOf(), "approved");
  await desk.signInAgain("passkey");
  site.world.clock.advance(6 * FRESH_SIGN_IN_MS);
  await actAtDesk(desk, path, typed);
  assertEquals(await stateOf(), "rejected");
});

Deno.test("a passkey sign-in of more than 10 minutes ago decides nothing either", async () => {
  await using site = await openAdvertiserSite();
  const email = "operator@example.com";
  const desk = await site.browser("operator", { email });
  await savePasskeys(site.services, desk, ["pk_1"]);
  await desk.signInAgain("passkey");
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  const html = await (await desk.post("/operator/hold", "")).text();
  assertStringIncludes(html, "This takes a sign-in of the last 10 minutes.");
});

Deno.test("an advertiser who has a passkey may still use a code", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  await savePasskeys(site.services, ada, ["pk_1"]);
  assertEquals((await ada.post(EXPORTS_PATH, "")).status, 303);
});
