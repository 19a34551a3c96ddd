import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import type { Account } from "../../../../domain/accounts/account.ts";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import { claimVat } from "../../../../domain/accounts/claim_vat.ts";
import { updateAccount } from "../../../../domain/accounts/update_account.ts";
import { applyAsPartner } from "../../../../domain/partners/apply.ts";
import { refusePartner } from "../../../../domain/partners/decide_partner.ts";
import { BID_DAY } from "../../../support/bidding_world.ts";
import { invoiceOf, saveInvoice } from "../../../support/invoices.ts";
import { lostDispute } from "../../../support/lost_dispute.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import {
  actAtDesk,
  askedToken,
  processorWithDispute,
} from "../../../support/desk_acts.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const DESK = "/operator/accounts";
const ADA = `${DESK}/acc_ada`;

const LOST: Partial<Account> = {
  disputeOpen: true,
  blockingDisputes: ["du_1"],
  lostDisputes: ["du_1"],
  disputeLostAtMs: 1,
};

const ADDRESS = {
  country: "DE",
  address: { line1: "Weg 1", city: "Berlin", postalCode: "10115" },
};

const COMPANIES = [
  ["bob", "Bob & Söhne Backwarenmanufaktur GmbH", "DE811128000"],
  ["cid", "Cid Sohne Öfen", "DE811128135"],
] as const;

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
  const reason = "Paid <again>.";
  const answer = await actAtDesk(desk, `${ADA}/lift_block`, { reason });
  assertEquals(ledTo(answer), `${ADA}?done=lift_block`);
  const page = await textOf(await desk.get(leadOf(answer)));
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
  assertFaults(empty, ["reason-suspend"]);
  const meant = { reason: "Not delivered." };
  await actAtDesk(desk, `${ADA}/suspend`, meant);
  const page = await textOf(await desk.get(ADA));
  assertStringIncludes(page, "Suspended since");
  assertStringIncludes(page, "Lift the suspension");
  assert(!page.includes("Suspend the account"));
  await actAtDesk(desk, `${ADA}/lift_suspension`, meant);
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals([ada?.suspendedAtMs, ada?.notes], [null, 2]);
  const after = await textOf(await desk.get(ADA));
  assertStringIncludes(after, "<strong>Suspended the account</strong>");
  assertStringIncludes(after, 'href="/operator/audit?subject=acc_ada"');
});

Deno.test("a form of the desk does once what it says, however often it is sent", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const reason = "Not delivered.";
  const path = `${ADA}/suspend`;
  const token = await askedToken(await desk.post(path, form({ reason })));
  const meant = form({ reason, confirmed: "yes", token });
  const twice = [await desk.post(path, meant), await desk.post(path, meant)];
  assertEquals(
    twice.map(ledTo),
    [`${ADA}?done=suspend`, `${ADA}?done=again`],
  );
  await actAtDesk(desk, `${ADA}/lift_suspension`, { reason });
  const late = await desk.post(path, meant);
  assertEquals(ledTo(late), `${ADA}?done=again`);
  const page = await textOf(await desk.get(leadOf(late)));
  assertStringIncludes(page, "This form was sent before");
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals(ada?.suspendedAtMs, null, "the lift stands");
});

Deno.test("nothing is done by a form that no page of ours has asked about", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  for (const token of ["", "x", "x".repeat(9_000)]) {
    const fields = form({ reason: "Why.", confirmed: "yes", token });
    await askedToken(await desk.post(`${ADA}/suspend`, fields));
  }
  const ada = await site.services.store.accounts.find("acc_ada");
  assertEquals(ada?.suspendedAtMs, null);
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
    assertStringIncludes(page, "No account has that.");
  }
  await textOf(await desk.get(`${DESK}/acc_none`), 404);
});

Deno.test("an operator finds accounts by the words of their company and by VAT id", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { store } = site.services;
  await store.transact((tx) => {
    for (const [name, company, vatId] of COMPANIES) {
      tx.accounts.save({
        ...newAccount(`acc_${name}`, `${name}@example.com`, 0),
        company: { ...ADDRESS, name: company, vatId },
      });
    }
  });
  const found = async (sought: string) => {
    const query = new URLSearchParams({ find: sought });
    const answer = await desk.get(`${DESK}?${query}`);
    const only = answer.headers.get("location");
    if (only !== null) return [only.slice(DESK.length + 1)];
    const [list = ""] = (await textOf(answer)).split("Waiting for you");
    return [...list.matchAll(/href="\/operator\/accounts\/(acc_\w+)"/g)]
      .map(([, id]) => id).toSorted();
  };
  const cases: [string, string[]][] = [
    ["söhne", ["acc_bob", "acc_cid"]],
    ["SOEHNE", []],
    ["back söhn", ["acc_bob"]],
    ["Backwaren", ["acc_bob"]],
    ["de 811.128.135", ["acc_cid"]],
    ["DE8111", ["acc_bob", "acc_cid"]],
    ["GmbH söhne & nobody", []],
    ["&", []],
  ];
  for (const [sought, wanted] of cases) {
    assertEquals(await found(sought), wanted, sought);
  }
});

Deno.test("the page of an account has its cards, bids without amounts, invoices, disputes and agents", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { services } = site;
  const { store } = services;
  const invoice = invoiceOf("acc_ada", "SPOT-1");
  await saveInvoice(services, invoice);
  await store.transact((tx) => {
    tx.disputes.save(lostDispute({ accountId: "acc_ada" }));
    tx.bids.save({
      id: "bid_1",
      day: BID_DAY,
      accountId: "acc_ada",
      adId: "ad_ada",
      amountCents: 77_177,
      status: "active",
      placedAtMs: 1,
      paymentMethodId: "pm_ada",
      grantId: null,
    });
  });
  const page = await textOf(await desk.get(ADA));
  for (
    const text of [
      "Signed up",
      "Days won",
      "4242",
      "A bid for",
      `href="/operator/days/${BID_DAY}"`,
      "SPOT-1",
      "du_1",
      "Ask how it stands",
      "bids:write",
    ]
  ) assertStringIncludes(page, text);
  assert(!/771\.77|77177/.test(page), "bids are sealed");
  const bob = await site.world.agent("bob");
  const other = await textOf(await desk.get(`${DESK}/${bob.account.id}`));
  assertStringIncludes(other, "No bid of it stands.");
  assertStringIncludes(other, "It has no invoice of a day that has settled.");
  assert(!other.includes("<h2>Disputes</h2>"));
});

Deno.test("an operator has the processor asked how a dispute of the account stands", async () => {
  const asked: string[] = [];
  const processor = processorWithDispute(asked);
  const site = await openAdvertiserSite({}, { processor });
  await using _ = site;
  await site.world.agent("ada", { account: LOST });
  const email = "operator@example.com";
  const desk = await site.browser("operator", { email });
  const path = `${ADA}/look_at_dispute`;
  const answer = await actAtDesk(desk, path, { about: "du_1" });
  assertEquals(ledTo(answer), `${ADA}?done=look_at_dispute`);
  assertEquals(asked, ["du_1"]);
  const other = await desk.post(path, form({ about: "du_2" }));
  assertEquals(other.status, 404, "a dispute of another account");
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
  const reason = "Looked up.";
  const seen = { reason, about: "Ada <b>AG</b>" };
  await wish("Ada SE");
  const outdated = await textOf(
    await actAtDesk(desk, `${ADA}/approve_name`, seen),
    409,
  );
  assertStringIncludes(outdated, "This is how it stands now");
  assertStringIncludes(outdated, "Ada SE");
  const path = `${ADA}/approve_name`;
  const answer = await actAtDesk(desk, path, { reason, about: "Ada SE" });
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
  const meant = {
    reason: "Not your company.",
    about: "DE123456789",
    company_name: "bob GmbH",
  };
  const decide = (path: string) => actAtDesk(desk, path, meant);
  const taken = await textOf(await decide(`${BOB}/approve_vat`), 409);
  assertStringIncludes(taken, "Release it there first.");
  assertEquals((await decide(`${ADA}/release_vat`)).status, 303);
  assertEquals((await decide(`${BOB}/approve_vat`)).status, 303);
  const holder = await services.store.vatHolders.find("DE123456789");
  assertEquals(holder?.accountId, "acc_bob");
  assert(!(await textOf(await desk.get(ADA))).includes("Release the VAT id"));
});

Deno.test("who asks to be a partner is decided about at the desk by the words that stood there", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { services } = site;
  const accountId = "acc_ada";
  const order = {
    accountId,
    by: { kind: "operator_key" },
    reason: "No.",
  } as const;
  const pitch = "A newsletter for <makers> of lamps";
  await applyAsPartner(services, { accountId, pitch });
  const page = await textOf(await desk.get(ADA));
  assertStringIncludes(page, "A newsletter for &lt;makers&gt; of lamps</span>");
  const [, shown] = page.match(/name="about" value="(A newsletter[^"]*)"/) ??
    [];
  assertEquals(shown, "A newsletter for &lt;makers&gt; of lamps");
  const act = `${ADA}/approve_partner`;
  const fields = { reason: "Welcome.", about: pitch };
  const asked = await desk.post(act, form(fields));
  const question = await textOf(asked.clone());
  assertStringIncludes(question, "You decide about: <bdi>A newsletter for");
  await refusePartner(services, { ...order, about: pitch });
  const other = "Mails to everybody whose address I can find";
  await applyAsPartner(services, { accountId, pitch: other });
  const token = await askedToken(asked);
  const late = await desk.post(
    act,
    form({ ...fields, token, confirmed: "yes" }),
  );
  const text = await textOf(late, 409);
  assertStringIncludes(text, "what you decided about has changed");
  assertStringIncludes(text, other);
  const { partners } = services.store;
  assertEquals((await partners.find(accountId))?.state, "applied");
});
