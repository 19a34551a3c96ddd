import { assert, assertEquals } from "@std/assert";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import { applyAsPartner } from "../../../../domain/partners/apply.ts";
import {
  answerOf,
  assertProblem,
  openOperatorSite,
  type OperatorSite,
} from "./operator_site.ts";

const account = "acc_1";

async function opened(): Promise<OperatorSite> {
  const site = await openOperatorSite();
  await site.services.store.transact((tx) => {
    tx.accounts.save({
      ...newAccount(account, "one@example.com", 0),
      disputeOpen: true,
      blockingDisputes: ["dp_1"],
      lostDisputes: ["dp_1"],
      disputeLostAtMs: 1,
    });
  });
  return site;
}

const ACTS = [
  "suspend",
  "lift_suspension",
  "lift_block",
  "lift_refusal",
  "approve_name",
  "refuse_name",
  "approve_vat",
  "decline_vat",
  "release_vat",
];

Deno.test("POST lift_block answers how the account stands without it", async () => {
  await using site = await opened();
  const path = `accounts/${account}`;
  const waiting = await answerOf(await site.operate("GET", "accounts"));
  assertEquals(waiting.items[0].account, account);
  const body = { reason: "Paid again." };
  const lifted = await answerOf(
    await site.operate("POST", `${path}/lift_block`, { body }),
  );
  assertEquals(lifted.dispute_open, false);
  assert(!lifted.reasons.includes("dispute_lost"));
  const { notes } = await answerOf(await site.operate("GET", path));
  assertEquals(notes.length, 1);
  assertEquals(
    [notes[0].event, notes[0].by, notes[0].operator, notes[0].reason],
    ["block_lifted", "operator_key", null, "Paid again."],
  );
  const after = await answerOf(await site.operate("GET", "accounts"));
  assertEquals(after.items, []);
});

Deno.test("POST suspend and lift_suspension say why, and answer how it stands", async () => {
  await using site = await opened();
  const path = `accounts/${account}`;
  const suspended = await answerOf(
    await site.operate("POST", `${path}/suspend`, { body: { reason: "Why." } }),
  );
  assertEquals(suspended.suspension_reason, "Why.");
  assertEquals(suspended.reasons[0], "suspended");
  const lifted = await answerOf(
    await site.operate("POST", `${path}/lift_suspension`, {
      body: { reason: "Well." },
    }),
  );
  assertEquals([lifted.suspended_at, lifted.suspension_reason], [null, null]);
});

Deno.test("a decision about an account takes a reason, an account and the operator's key", async () => {
  await using site = await opened();
  for (const act of ACTS) {
    const path = `accounts/${account}/${act}`;
    for (const body of [{}, { reason: 7 }, { reason: "a", more: 1 }]) {
      const answer = await site.operate("POST", path, { body });
      assertEquals((await answer.json()).code, "VALIDATION_FAILED");
    }
    const blank = await site.operate("POST", path, { body: { reason: " " } });
    assertEquals(blank.status, 400);
    await blank.body?.cancel();
    const unknown = await site.operate("POST", `accounts/acc_none/${act}`, {
      body: { reason: "Why." },
    });
    await assertProblem(unknown, 404, "NOT_FOUND", "Cannot find the account");
    const keyless = await site.operate("POST", path, { key: null });
    assertEquals(keyless.status, 401);
    await keyless.body?.cancel();
  }
  const keyless = await site.operate("GET", "accounts", { key: null });
  assertEquals(keyless.status, 401);
  await keyless.body?.cancel();
});

Deno.test("POST approve_name takes the name that waits, and answers 409 to another", async () => {
  await using site = await opened();
  const { store } = site.services;
  const address = { line1: "1 Main St", city: "Town", postalCode: "" };
  const company = { name: "Ada", country: "US", vatId: null, address };
  await store.transact(async (tx) => {
    const found = await tx.accounts.find(account);
    const rename = { name: "Ada Inc", askedAtMs: 0 };
    if (found) tx.accounts.save({ ...found, company, rename });
  });
  const path = `accounts/${account}/approve_name`;
  for (const about of [undefined, "Ada Ltd"]) {
    const body = { reason: "Looked up.", ...about !== undefined && { about } };
    await assertProblem(
      await site.operate("POST", path, { body }),
      409,
      "CONFLICT",
      "Cannot decide about the account: what is decided about is not there, " +
        "or is another by now; read the account and name it in about",
    );
  }
  const body = { reason: "Looked up.", about: "Ada Inc" };
  const answer = await answerOf(await site.operate("POST", path, { body }));
  assertEquals(
    [answer.company_name, answer.requested_company_name],
    ["Ada Inc", null],
  );
});

Deno.test("POST release_vat takes an id back; approve_vat is 409 while another account holds it", async () => {
  await using site = await opened();
  const { store } = site.services;
  const address = { line1: "Weg 1", city: "Berlin", postalCode: "10115" };
  const vatId = "DE123456789";
  const company = { name: "Ada", country: "DE", vatId, address };
  await store.transact(async (tx) => {
    const found = await tx.accounts.find(account);
    if (found === null) return;
    const complete = {
      ...found,
      company,
      identityStatus: "verified",
      defaultPaymentMethodId: "pm_1",
    } as const;
    tx.accounts.save({ ...complete, vatStatus: "valid" });
    const vatCheck = {
      vatId,
      outcome: "valid",
      atMs: 0,
      consultation: null,
      name: null,
      failures: 0,
      dueAtMs: 0,
    } as const;
    const vatCase = { vatId, why: "held", name: "Ada", sinceMs: 0 } as const;
    const second = { ...complete, id: "acc_2", email: "two@example.com" };
    tx.accounts.save({ ...second, vatCheck, vatCase });
  });
  const post = (id: string, act: string) =>
    site.operate("POST", `accounts/${id}/${act}`, {
      body: { reason: "Compared.", about: vatId, company_name: "Ada" },
    });
  const second = await answerOf(await site.operate("GET", "accounts/acc_2"));
  assertEquals([second.vat_case, second.vat_id_held_by], ["held", account]);
  await assertProblem(
    await post("acc_2", "approve_vat"),
    409,
    "CONFLICT",
    "Cannot give the account its VAT id: another account holds it, release " +
      "it there first",
  );
  await answerOf(await post(account, "release_vat"));
  const held = await answerOf(await post("acc_2", "approve_vat"));
  assert(!held.reasons.includes("vat_unverified"));
});

Deno.test("GET partner_applications lists whoever asks to be a partner, however many do", async () => {
  await using site = await openOperatorSite();
  const { services } = site;
  for (let nth = 0; nth < 51; nth++) {
    const accountId = `acc_${String(nth).padStart(2, "0")}`;
    await services.store.transact((tx) => {
      tx.accounts.save(newAccount(accountId, `${accountId}@example.com`, 0));
      return Promise.resolve();
    });
    await applyAsPartner(services, {
      accountId,
      pitch: `I would recommend it ${nth}`,
    });
  }
  const path = "partner_applications";
  const first = await answerOf(await site.operate("GET", path));
  assertEquals(first.items.length, 50);
  const cursor = encodeURIComponent(first.next_cursor);
  const second = await answerOf(
    await site.operate("GET", `${path}?cursor=${cursor}`),
  );
  assertEquals(second.next_cursor, null);
  const [{ account, pitch, applied_at }] = second.items;
  assertEquals([account, pitch], ["acc_50", "I would recommend it 50"]);
  assert(Date.parse(applied_at) > 0);
  await assertProblem(
    await site.operate("GET", `${path}?cursor=x`),
    400,
    "VALIDATION_FAILED",
    "Cannot list the applications: cursor must be the next_cursor of an answer",
  );
});

Deno.test("POST approve_partner and refuse_partner take the pitch as it was read, and answer 409 to another", async () => {
  await using site = await opened();
  const pitch = "A newsletter for makers of lamps";
  await applyAsPartner(site.services, { accountId: account, pitch });
  const path = `accounts/${account}`;
  const { partner_pitch: about } = await answerOf(
    await site.operate("GET", path),
  );
  assertEquals(about, pitch);
  for (const act of ["approve_partner", "refuse_partner"]) {
    for (const other of [{}, { about: "Another newsletter" }]) {
      const body = { reason: "Looked up.", ...other };
      await assertProblem(
        await site.operate("POST", `${path}/${act}`, { body }),
        409,
        "CONFLICT",
        "Cannot decide about the account: what is decided about is not there, " +
          "or is another by now; read the account and name it in about",
      );
    }
  }
  const body = { reason: "Looked up.", about };
  const approved = await site.operate("POST", `${path}/approve_partner`, {
    body,
  });
  assertEquals((await answerOf(approved)).account, account);
  const { partners } = site.services.store;
  assertEquals((await partners.find(account))?.state, "approved");
});
