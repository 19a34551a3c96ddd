import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Account } from "../../../../domain/accounts/account.ts";
import { claimVat } from "../../../../domain/accounts/claim_vat.ts";
import { updateAccount } from "../../../../domain/accounts/update_account.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";

const DESK = "/operator/accounts";
const ADA = `${DESK}/acc_ada`;

const LOST: Partial<Account> = {
  disputeOpen: true,
  blockingDisputes: ["du_1"],
  lostDisputes: ["du_1"],
  disputeLostAtMs: 1,
};

async function opened(): Promise<
  { site: AdvertiserSite; desk: SignedInBrowser }
> {
  const site = await openAdvertiserSite();
  await site.world.agent("ada", { account: LOST });
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }) };
}

async function textOf(answer: Response, status = 200): Promise<string> {
  assertEquals(answer.status, status);
  return await answer.text();
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

Deno.test("the pages about accounts are there for operators only", async () => {
  const { site } = await opened();
  await using _ = site;
  const eve = await site.browser("eve");
  for (const path of [DESK, ADA, `${DESK}?find=acc_ada`]) {
    assertEquals((await eve.get(path)).status, 404);
    assertEquals((await site.visitor(path)).status, 303);
  }
  for (const act of ["suspend", "lift_suspension", "lift_block"]) {
    const fields = form({ reason: "Why.", confirmed: "yes" });
    assertEquals((await eve.post(`${ADA}/${act}`, fields)).status, 404);
  }
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals([ada?.suspendedAtMs, ada?.disputeOpen], [null, true]);
});

Deno.test("a lost dispute is lifted at the desk, which asks once and writes it down", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const waiting = await textOf(await desk.get(DESK));
  assertStringIncludes(waiting, "ada GmbH");
  assertStringIncludes(waiting, "A dispute was lost");
  assertStringIncludes(await textOf(await desk.get(ADA)), "dispute_lost");
  const asked = await textOf(
    await desk.post(`${ADA}/lift_block`, form({ reason: "Paid <again>." })),
  );
  assertStringIncludes(asked, "Lift the block of a lost dispute?");
  assertStringIncludes(asked, "Paid &lt;again&gt;.");
  const before = await site.services.store.accounts.find("acc_ada");
  assert(before?.disputeOpen, "asking changes nothing");
  const answer = await desk.post(
    `${ADA}/lift_block`,
    form({ reason: "Paid <again>.", confirmed: "yes" }),
  );
  const location = `${ADA}?done=lift_block`;
  assertEquals(answer.headers.get("location"), location);
  const page = await textOf(await desk.get(location));
  for (
    const text of [
      "The block was lifted",
      "Nothing keeps it from bidding.",
      "Block of a lost dispute lifted by operator acc_operator",
      "Paid &lt;again&gt;.",
    ]
  ) assertStringIncludes(page, text);
  assertStringIncludes(await textOf(await desk.get(DESK)), "No account waits");
});

Deno.test("an account is suspended at the desk with a reason, and let go again", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const empty = await textOf(
    await desk.post(`${ADA}/suspend`, form({ reason: "a\u202eb" })),
    400,
  );
  assertStringIncludes(empty, "change the direction");
  const meant = form({ reason: "Not delivered.", confirmed: "yes" });
  await desk.post(`${ADA}/suspend`, meant);
  const page = await textOf(await desk.get(ADA));
  assertStringIncludes(page, "Suspended since");
  assertStringIncludes(page, "Lift the suspension");
  assert(!page.includes("Suspend the account"));
  await desk.post(`${ADA}/lift_suspension`, meant);
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals([ada?.suspendedAtMs, ada?.notes], [null, 2]);
});

Deno.test("an operator opens an account by its id or e-mail address", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  for (const sought of ["acc_ada", " ADA@example.com "]) {
    const query = new URLSearchParams({ find: sought });
    const answer = await desk.get(`${DESK}?${query}`);
    assertEquals(answer.headers.get("location"), ADA, sought);
  }
  for (const sought of ["acc_none", "x".repeat(9_000), "\u0000", "<b>"]) {
    const query = new URLSearchParams({ find: sought });
    const page = await textOf(await desk.get(`${DESK}?${query}`));
    assertStringIncludes(page, "No account has this id or address.");
  }
  await textOf(await desk.get(`${DESK}/acc_none`), 404);
});

Deno.test("decisions about accounts come from our own pages only", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  for (const origin of [null, "https://evil.example"]) {
    const fields = form({ reason: "Why.", confirmed: "yes" });
    const answer = await desk.post(`${ADA}/suspend`, fields, { origin });
    assertEquals(answer.status, 403);
  }
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals(ada?.suspendedAtMs, null);
});

Deno.test("a new name is compared and decided at the desk; one that changed meanwhile is shown again", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { services } = site;
  const wish = (name: string) =>
    updateAccount(services, {
      accountId: "acc_ada",
      changes: { parts: { name }, mails: {} },
      binding: null,
    });
  await wish("Ada <b>AG</b>");
  const page = await textOf(await desk.get(ADA));
  assertStringIncludes(page, "Ada &lt;b&gt;AG&lt;/b&gt;");
  assertStringIncludes(page, "instead of “ada GmbH”");
  const seen = form({
    reason: "Looked up.",
    about: "Ada <b>AG</b>",
    confirmed: "yes",
  });
  await wish("Ada SE");
  const outdated = await textOf(
    await desk.post(`${ADA}/approve_name`, seen),
    409,
  );
  assertStringIncludes(outdated, "This is how it stands now");
  assertStringIncludes(outdated, "Ada SE");
  seen.set("about", "Ada SE");
  const answer = await desk.post(`${ADA}/approve_name`, seen);
  assertEquals(answer.status, 303);
  const ada = await services.store.accounts.find("acc_ada");
  assertEquals(ada?.company?.name, "Ada SE");
});

Deno.test("a claim of a VAT id that another account holds is compared and decided at the desk", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { services } = site;
  const bob = await site.world.agent("bob", {
    account: {
      vatStatus: "unverified",
      vatCheck: {
        vatId: "DE123456789",
        outcome: "valid",
        atMs: 0,
        consultation: null,
        name: null,
        failures: 0,
        dueAtMs: 0,
      },
    },
  });
  await claimVat(services, { accountId: bob.account.id });
  const BOB = `${DESK}/acc_bob`;
  assertStringIncludes(await textOf(await desk.get(DESK)), "bob GmbH");
  const page = await textOf(await desk.get(BOB));
  assertStringIncludes(page, "which another account holds");
  assertStringIncludes(page, `held by <a href="${ADA}">acc_ada</a>`);
  const meant = form({
    reason: "Not your company.",
    about: "DE123456789",
    confirmed: "yes",
  });
  const taken = await textOf(await desk.post(`${BOB}/approve_vat`, meant), 409);
  assertStringIncludes(taken, "Release it there first.");
  assertEquals((await desk.post(`${ADA}/release_vat`, meant)).status, 303);
  assertEquals((await desk.post(`${BOB}/approve_vat`, meant)).status, 303);
  const holder = await services.store.vatHolders.find("DE123456789");
  assertEquals(holder?.accountId, "acc_bob");
  assert(!(await textOf(await desk.get(ADA))).includes("Release the VAT id"));
});
