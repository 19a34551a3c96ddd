import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import {
  liftSuspension,
  suspendAccount,
} from "../../../domain/accounts/suspend_account.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import type { MailKind } from "../../../domain/mail/mail_kinds.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { chargedCents, sellDay } from "../../support/restored_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { assertRefused } from "../../support/refused.ts";

const BY = { kind: "operator", accountId: "acc_operator" } as const;
const accountId = "acc_ada";

const order = (reason: string) => ({ accountId, by: BY, reason, about: null });

async function opened(): Promise<BiddingWorld> {
  const world = await openBiddingWorld();
  await world.agent("ada");
  return world;
}

async function told(services: Services) {
  const { store } = services;
  return {
    account: await store.accounts.find(accountId),
    notes: await store.listAccountNotes(accountId, { limit: 9 }),
    mails: await store.listMails({ limit: 9 }),
  };
}

Deno.test("suspendAccount() keeps the reason, writes its history and tells the owner in one commit", async () => {
  await using world = await opened();
  const { services, clock } = world;
  await suspendAccount(services, order(" Readers complained. "));
  const { account, notes, mails: [mail] } = await told(services);
  assert(account !== null && mail !== undefined);
  assertEquals(account.suspendedAtMs, clock.now());
  assertEquals(account.suspensionReason, "Readers complained.");
  assertEquals(eligibilityReasons(account, services.settings), ["suspended"]);
  assertEquals(notes, [{
    accountId,
    number: 1,
    event: "suspended",
    by: BY,
    atMs: clock.now(),
    reason: "Readers complained.",
  }]);
  assertEquals(mail.to, "ada@example.com");
  assertStringIncludes(mail.text, "Readers complained.");
  assertStringIncludes(mail.text, services.settings.seller.email);
});

Deno.test("suspendAccount() changes nothing of an account that is suspended", async () => {
  await using world = await opened();
  await suspendAccount(world.services, order("First."));
  const before = await told(world.services);
  await suspendAccount(world.services, order("Second."));
  assertEquals(await told(world.services), before);
});

Deno.test("liftSuspension() lets the account bid again and tells its owner", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await suspendAccount(world.services, order("First."));
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "human_step_required",
  );
  world.clock.advance(1_000);
  const lifted = await liftSuspension(world.services, order("All is well."));
  assertEquals([lifted.suspendedAtMs, lifted.suspensionReason], [
    null,
    undefined,
  ]);
  await placeBid(world.services, bidBy(ada));
  const { notes, mails } = await told(world.services);
  assertEquals(notes.map(({ event }) => event), [
    "suspension_lifted",
    "suspended",
  ]);
  assertStringIncludes(mails[1]?.text ?? "", "All is well.");
  await liftSuspension(world.services, order("Again."));
  assertEquals((await told(world.services)).notes.length, 2);
});

Deno.test("who is suspended is told that a bid counts again if that is lifted before its day settles, and told so when it is", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { services, clock } = world;
  await placeBid(services, bidBy(ada));
  const mailOf = async (kind: MailKind) =>
    wordsOf((await told(services)).mails.find((mail) => mail.kind === kind));
  await suspendAccount(services, order("Readers complained."));
  assertStringIncludes(
    await mailOf("suspended"),
    "A bid whose day settles meanwhile can't win, and you pay nothing for it; " +
      "if the suspension is lifted before, the bid counts again.",
  );
  clock.advance(1_000);
  await liftSuspension(services, order("All is well."));
  const lifted = await mailOf("suspension_lifted");
  assertStringIncludes(
    lifted,
    "as soon as nothing else stands in the way. From then on your bids that " +
      "stand count again: they may win and be charged.",
  );
  assertStringIncludes(
    lifted,
    `Your bids that stand: ${services.settings.baseUrl}/bids`,
  );
});

Deno.test("a bid whose account was suspended, and let go before its day settled, wins and is charged", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await world.bid(await world.advertiser("ada"), 5_000);
  await suspendAccount(services, order("Readers complained."));
  await liftSuspension(services, order("All is well."));
  await sellDay(world);
  assertEquals(chargedCents(world), [5_000]);
});

Deno.test("whose suspension is lifted is told of bids only where any stand", async () => {
  await using world = await opened();
  const { services } = world;
  await suspendAccount(services, order("Readers complained."));
  world.clock.advance(1_000);
  await liftSuspension(services, order("All is well."));
  const { mails } = await told(services);
  const said = mails.filter(({ kind }) => kind === "suspension_lifted")
    .map(wordsOf);
  assertEquals(said.length, 1);
  assert(!said.join().includes("bids that stand"), said.join());
});

Deno.test("a decision about an account takes a reason that its owner can read", async () => {
  await using world = await opened();
  for (const reason of ["", "  ", "a\u202eb", "x".repeat(501), "x\ny"]) {
    const refusal = await assertRefused(
      () => suspendAccount(world.services, order(reason)),
      "invalid_input",
    );
    assertStringIncludes(refusal.message, "reason");
  }
  assertEquals((await told(world.services)).account?.suspendedAtMs, null);
  await assertRefused(
    () =>
      suspendAccount(world.services, { ...order("x"), accountId: "acc_none" }),
    "account_not_found",
  );
});

Deno.test("two operators who suspend at once leave one line and one mail", async () => {
  await using world = await opened();
  await Promise.all(
    ["One.", "Two."].map((reason) =>
      suspendAccount(world.services, order(reason))
    ),
  );
  const { notes, mails, account } = await told(world.services);
  assertEquals([notes.length, mails.length], [1, 1]);
  assertEquals(notes[0]?.reason, account?.suspensionReason);
});

Deno.test("a crash leaves a suspension with its line and mail, or none of them", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await opened();
    const doomed = world.testStore.another();
    doomed.kv.crashAt(point);
    const dying = world.over(doomed.store);
    await suspendAccount(dying, order("Why.")).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    const { store } = world.services;
    const account = await store.accounts.find(accountId);
    const written = account?.suspendedAtMs === null ? 0 : 1;
    const notes = await store.listAccountNotes(accountId, { limit: 9 });
    const mails = await store.listMails({ limit: 9 });
    assertEquals([notes.length, mails.length], [written, written]);
    return doomed.kv.dead;
  });
  assert(points >= 2);
});

Deno.test("a suspended account's wish for another name is on the desk once the suspension is lifted", async () => {
  await using world = await opened();
  const { services } = world;
  const { store } = services;
  const waiting = async () => {
    const accounts = await store.listWaitingAccounts({ limit: 9 });
    return accounts.map(({ id }) => id);
  };
  const rename = { name: "Nike", askedAtMs: 0 };
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, rename });
  });
  assertEquals(await waiting(), [accountId]);
  await suspendAccount(services, order("Readers complained."));
  assertEquals(await waiting(), []);
  await liftSuspension(services, order("Settled."));
  assertEquals(await waiting(), [accountId]);
});
