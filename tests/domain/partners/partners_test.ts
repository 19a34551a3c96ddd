import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { AccountOrder } from "../../../domain/accounts/decide_about_account.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { applyAsPartner } from "../../../domain/partners/apply.ts";
import { createLink, parseCode } from "../../../domain/partners/create_link.ts";
import {
  approvePartner,
  endPartner,
  refusePartner,
} from "../../../domain/partners/decide_partner.ts";
import { endLink } from "../../../domain/partners/end_link.ts";
import { monthsLaterMs } from "../../../domain/partners/refer.ts";
import { isSameMailHost } from "../../../domain/partners/self_referral.ts";
import { withStanding } from "../../../domain/partners/standing.ts";
import { PARTNER_TERMS_VERSION } from "../../../domain/partners/limits.ts";
import { tierOf } from "../../../domain/readiness/account_summary.ts";
import { randomIds } from "../../../adapters/crypto/random_ids.ts";
import { TEST_SETTINGS } from "../../support/auction_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { refusalOf } from "../../support/refused.ts";
import { openTestStore } from "../../support/store.ts";

const ID = "acc_grace";
const PITCH = "A newsletter for makers";
const BY = { kind: "operator_key" } as const;
const ORDER: AccountOrder = {
  accountId: ID,
  by: BY,
  reason: "Because.",
  about: PITCH,
};

async function codeOf(
  run: () => Promise<unknown>,
): Promise<string | undefined> {
  return (await refusalOf(run))?.code;
}

async function open(email = "grace@newsletter.example") {
  const test = await openTestStore();
  const { store, clock } = test;
  const services = {
    store,
    clock,
    ids: randomIds,
    settings: TEST_SETTINGS,
    log: new MemoryLog(),
    keys: TEST_KEYS,
  };
  await store.transact((tx) => tx.accounts.save(newAccount(ID, email, 0)));
  const account = async () => {
    const found = await store.accounts.find(ID);
    assert(found !== null);
    return found;
  };
  return { test, services, store, account };
}

Deno.test("applyAsPartner() keeps the terms with version and time, and puts the account before an operator", async () => {
  const { test, services, store, account } = await open();
  await using _ = test;
  const applied = await applyAsPartner(services, {
    accountId: ID,
    pitch: `  ${PITCH} `,
  });
  assertEquals(applied.pitch, PITCH);
  assertEquals(applied.terms, {
    version: PARTNER_TERMS_VERSION,
    acceptedAtMs: services.clock.now(),
  });
  assertEquals((await account()).partnership?.state, "applied");
  assertEquals((await account()).partner, false);
  const waiting = await store.listWaitingPartners({ limit: 9, after: null });
  assertEquals(waiting.map(({ accountId }) => accountId), [ID]);
  // Asking is free: it hides nothing that waits about accounts.
  assertEquals(await store.listWaitingAccounts({ limit: 9 }), []);
  services.clock.advance(1_000);
  const again = await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  assertEquals(again, applied);
});

Deno.test("applyAsPartner() refuses a text that is not plain or too short, and an operator's account", async () => {
  const { test, services, store } = await open("operator@example.com");
  await using _ = test;
  for (const pitch of ["", "Short", "A newsletter\u202e for makers", PITCH]) {
    const code = await codeOf(() =>
      applyAsPartner(services, { accountId: ID, pitch })
    );
    assertEquals(code, "invalid_input");
  }
  assertEquals(await store.partners.find(ID), null);
});

Deno.test("the terms that a partner accepts are those of the published document", async () => {
  const { pathname } = new URL("../../../docs/affiliate.md", import.meta.url);
  const text = await Deno.readTextFile(pathname);
  assert(text.includes(`These terms are of ${PARTNER_TERMS_VERSION}.`));
});

Deno.test("a partner is verified by the operator's approval and a connected account that can be paid, both", async () => {
  const { test, services, store, account } = await open();
  await using _ = test;
  await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  await approvePartner(services, ORDER);
  assertEquals((await account()).partner, false);
  const asking = await store.listWaitingPartners({ limit: 9, after: null });
  assertEquals(asking, []);
  const partner = await store.partners.find(ID);
  assert(partner !== null);
  const connected = {
    ...partner,
    connectedAccount: {
      id: "acct_1",
      createdAtMs: 1,
      detailsSubmitted: true,
      payoutsEnabled: true,
      syncedAtMs: 1,
    },
  };
  const verified = withStanding(await account(), connected);
  assertEquals(verified.partner, true);
  const company = {
    name: "Grace GmbH",
    country: "DE",
    vatId: null,
    address: { line1: "Weg 1", city: "Bonn", postalCode: "53111" },
  };
  assertEquals(tierOf({ ...verified, company }), "partner");
  const notYet = { ...connected.connectedAccount, payoutsEnabled: false };
  const waiting = { ...connected, connectedAccount: notYet };
  assertEquals(withStanding(verified, waiting).partner, false);
  const ended = { ...connected, state: "ended" as const };
  assertEquals(withStanding(verified, ended).partner, false);
});

Deno.test("approvePartner() gives a first link, once, and mails the owner", async () => {
  const { test, services, store } = await open();
  await using _ = test;
  await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  await approvePartner(services, ORDER);
  await approvePartner(services, ORDER);
  await endPartner(services, ORDER);
  await approvePartner(services, ORDER);
  const links = await store.listReferralLinks(ID, { limit: 9 });
  assertEquals(links.length, 1);
  assertEquals(parseCode(links[0]?.code ?? ""), links[0]?.code);
  const mails = await store.listMails({ limit: 9 });
  assertEquals(
    mails.map(({ kind }) => kind).sort(),
    ["partner_approved", "partner_approved", "partner_ended"],
  );
  const ended = mails.find(({ kind }) => kind === "partner_ended");
  const rest = "What the last statement leaves, below EUR 20, is not paid.";
  assertStringIncludes(wordsOf(ended), rest);
  const notes = await store.listAccountNotes(ID, { limit: 9 });
  assertEquals(notes.length, 3);
});

Deno.test("what stands otherwise than an operator saw it is not decided about", async () => {
  const { test, services, account } = await open();
  await using _ = test;
  for (const decide of [approvePartner, refusePartner, endPartner]) {
    const code = await codeOf(() => decide(services, ORDER));
    assertEquals(code, "decision_outdated");
  }
  await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  assertEquals(
    await codeOf(() => endPartner(services, ORDER)),
    "decision_outdated",
  );
  await refusePartner(services, ORDER);
  assertEquals((await account()).partnership?.state, "refused");
  const again = await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  assertEquals([again.state, again.reason], ["applied", null]);
});

Deno.test("who asks to be a partner is approved and refused with the words that the operator read alone", async () => {
  const { test, services, account } = await open();
  await using _ = test;
  await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  await refusePartner(services, ORDER);
  const pitch = "Mails to everybody whose address I can find";
  await applyAsPartner(services, { accountId: ID, pitch });
  for (const decide of [approvePartner, refusePartner]) {
    for (const about of [PITCH, null]) {
      const code = await codeOf(() => decide(services, { ...ORDER, about }));
      assertEquals(code, "decision_outdated");
    }
  }
  assertEquals((await account()).partnership?.state, "applied");
  await approvePartner(services, { ...ORDER, about: pitch });
  await endPartner(services, { ...ORDER, about: null });
  assertEquals((await account()).partnership?.state, "ended");
});

Deno.test("an approved partner makes 50 links at most, and ends its own alone", async () => {
  const { test, services, store } = await open();
  await using _ = test;
  const make = (name: string) =>
    createLink(services, { partnerId: ID, name, binding: null });
  assertEquals(await codeOf(() => make("Early")), "partner_required");
  await applyAsPartner(services, { accountId: ID, pitch: PITCH });
  await approvePartner(services, ORDER);
  assertEquals(await codeOf(() => make(" ")), "invalid_input");
  const made = await make("Podcast");
  for (let nth = 2; nth < 50; nth++) await make(`Link ${nth}`);
  assertEquals(await codeOf(() => make("One more")), "invalid_input");
  const { code } = made;
  const others = () => endLink(services, { partnerId: "acc_other", code });
  assertEquals(await codeOf(others), "not_found");
  const ended = await endLink(services, { partnerId: ID, code });
  assertEquals(ended.state, "ended");
  services.clock.advance(5);
  assertEquals(await endLink(services, { partnerId: ID, code }), ended);
  assertEquals((await store.referralLinks.find(code))?.state, "ended");
});

Deno.test("monthsLaterMs() is the same day 12 months later, or the last that month has", () => {
  const later = (text: string, months: number) =>
    new Date(monthsLaterMs(Date.parse(text), months)).toISOString();
  assertEquals(
    later("2026-11-20T12:00:00.000Z", 12),
    "2027-11-20T12:00:00.000Z",
  );
  assertEquals(
    later("2028-02-29T23:59:59.999Z", 12),
    "2029-02-28T23:59:59.999Z",
  );
});

Deno.test("isSameMailHost() compares hosts and those below them, except public providers", () => {
  assert(isSameMailHost("a@firm.example", "b@firm.example"));
  assert(isSameMailHost("a@firm.example", "b@mail.firm.example"));
  assert(!isSameMailHost("a@firm.example", "b@otherfirm.example"));
  assert(!isSameMailHost("a@gmail.com", "b@gmail.com"));
  assert(!isSameMailHost("a@web.de", "b@web.de"));
  assert(!isSameMailHost("a@skynet.be", "b@skynet.be"));
  assert(!isSameMailHost("a@ziggo.nl", "b@ziggo.nl"));
});
