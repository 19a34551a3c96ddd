import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { POLICIES } from "../../../domain/creatives/policies.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import type { MailKind } from "../../../domain/mail/mail_kinds.ts";
import {
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { keyOf, MISHAPS } from "../../support/faults.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import {
  DECEPTIVE,
  DESK,
  notesOf,
  stored,
  submitted,
  verbsOf,
} from "./creative_world.ts";

const mailsOf = ({ services }: BiddingWorld) =>
  services.store.listMails({ limit: 99 });

Deno.test("approveCreative() lets an advertiser bid, with a line of history and a mail", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const adId = await submitted(services, ada);
  const bid = bidBy(ada, { adId });
  await assertRefused(() => placeBid(services, bid), "human_step_required");
  world.clock.advance(1_000);
  await approveCreative(services, { adId, by: DESK });
  const creative = await stored(world, ada, adId);
  assertEquals([creative.state, creative.reviewedAtMs], [
    "approved",
    world.clock.now(),
  ]);
  assertEquals((await notesOf(world, adId)).at(-1), {
    adId,
    number: 3,
    event: "approved",
    by: DESK,
    atMs: world.clock.now(),
    rejection: null,
  });
  const [mail, ...others] = await mailsOf(world);
  assertEquals(others, []);
  assertEquals(mail?.to, "ada@example.com");
  assertStringIncludes(mail?.text ?? "", creative.headline);
  assertStringIncludes(mail?.text ?? "", `/creatives/${adId}`);
  await placeBid(services, bid);
});

Deno.test("whose account may not bid is not told that an approved ad can be bid with now, nor that a bid can be raised", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { baseUrl } = services.settings;
  const ada = await world.agent("ada");
  const adId = await submitted(services, ada);
  const reason = "Readers complained.";
  const accountId = ada.account.id;
  await suspendAccount(services, { accountId, by: DESK, reason, about: null });
  await approveCreative(services, { adId, by: DESK });
  world.clock.advance(1_000);
  await withdrawApproval(services, { adId, by: DESK, typed: DECEPTIVE });
  const mails = await mailsOf(world);
  const said = (kind: MailKind) =>
    wordsOf(mails.find((mail) => mail.kind === kind));
  const approved = said("creative_approved");
  assertStringIncludes(
    approved,
    "You can bid with it as soon as nothing else stands in your account's way.",
  );
  assertStringIncludes(approved, `See what to do: ${baseUrl}/account`);
  assert(!approved.includes("now."), approved);
  assertStringIncludes(
    said("approval_withdrawn"),
    "name another approved ad, once your account can bid again.",
  );
});

Deno.test("approveCreative() refuses a creative whose account names no company, which may be rejected", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const adId = await submitted(services, ada);
  await services.store.transact(async (tx) => {
    const account = await tx.accounts.find(ada.account.id);
    assert(account);
    tx.accounts.save({ ...account, company: null });
  });
  for (const advertiser of [null, ""]) {
    const { why } = await assertRefused(
      () => approveCreative(services, { adId, by: DESK, advertiser }),
      "creative_refused",
    );
    assertEquals(why, { kind: "no_advertiser", adId });
  }
  assertEquals((await stored(world, ada, adId)).state, "submitted");
  assertEquals(await mailsOf(world), []);
  await rejectCreative(services, { adId, by: DESK, typed: DECEPTIVE });
  assertEquals((await stored(world, ada, adId)).state, "rejected");
});

Deno.test("rejectCreative() names policy, message and remedy, the policy's where none is written", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const first = await submitted(services, ada);
  const second = await submitted(services, ada);
  await rejectCreative(services, { adId: first, by: DESK, typed: DECEPTIVE });
  assertEquals((await stored(world, ada, first)).rejection, {
    policyId: "deceptive",
    message: DECEPTIVE.message,
    remedy: POLICIES.deceptive.remedy,
  });
  const message = "It is for a party.";
  const own = { policyId: "political", message, remedy: "Don’t." };
  await rejectCreative(services, { adId: second, by: DESK, typed: own });
  assertEquals((await stored(world, ada, second)).rejection, own);
  const [note] = (await notesOf(world, second)).slice(-1);
  assertEquals(note?.rejection, own);
  const mail = (await mailsOf(world)).find(({ text }) => text.includes(second));
  for (const part of ["political", message, "Don’t."]) {
    assertStringIncludes(mail?.text ?? "", part);
  }
  assert(!mail?.subject.includes("Bread"), "a subject is kept for days");
});

Deno.test("rejectCreative() refuses an unknown policy, and words that are not plain", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const adId = await submitted(services, ada);
  const typed = {
    policyId: "constructor",
    message: "a\u202eb",
    remedy: "x".repeat(501),
  };
  const { why } = await assertRefused(
    () => rejectCreative(services, { adId, by: DESK, typed }),
    "creative_refused",
  );
  assert(why.kind === "bad_copy");
  assertEquals(why.problems.map(({ field, code }) => [field, code]), [
    ["policy_id", "unknown"],
    ["message", "direction_character"],
    ["remedy", "too_long"],
  ]);
  assertEquals((await stored(world, ada, adId)).state, "submitted");
});

Deno.test("a rejection and a withdrawal take a sentence about the creative", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const adId = await submitted(services, ada);
  for (
    const [message, code] of [["", "missing"], ["  ", "missing"], [
      "No.",
      "too_short",
    ]] as const
  ) {
    const typed = { ...DECEPTIVE, message };
    for (const decide of [rejectCreative, withdrawApproval]) {
      const { why } = await assertRefused(
        () => decide(services, { adId, by: DESK, typed }),
        "creative_refused",
      );
      assert(why.kind === "bad_copy");
      assertEquals(why.problems.map((each) => [each.field, each.code]), [
        ["message", code],
      ]);
    }
  }
  assertEquals((await stored(world, ada, adId)).state, "submitted");
});

Deno.test("deciding twice at once decides once, with one line and one mail", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const adId = await submitted(world.services, ada);
  const other = world.over(world.testStore.another().store);
  await Promise.all(
    [world.services, other, other].map((services) =>
      approveCreative(services, { adId, by: DESK })
    ),
  );
  const events = (await notesOf(world, adId)).map(({ event }) => event);
  assertEquals(events, ["created", "submitted", "approved"]);
  assertEquals((await mailsOf(world)).length, 1);
});

Deno.test("approve and reject at once decide one way, and the other is told", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const adId = await submitted(world.services, ada);
  const other = world.over(world.testStore.another().store);
  const refusals = await Promise.all([
    refusalOf(() => approveCreative(world.services, { adId, by: DESK })),
    refusalOf(() =>
      rejectCreative(other, { adId, by: DESK, typed: DECEPTIVE })
    ),
  ]);
  assertEquals(refusals.filter((refusal) => refusal === null).length, 1);
  const lost = refusals.find((refusal) => refusal !== null);
  assertEquals(lost?.code, "creative_refused");
  assertEquals((await notesOf(world, adId)).length, 3);
});

Deno.test("withdrawApproval() takes an approval back, and a live bid's owner is told what follows", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  await placeBid(services, bidBy(ada));
  const input = { adId: ada.adId, by: DESK, typed: DECEPTIVE };
  await withdrawApproval(services, input);
  await withdrawApproval(services, input);
  const { state, rejection } = await stored(world, ada, ada.adId);
  assertEquals([state, rejection?.policyId], ["rejected", "deceptive"]);
  const events = (await notesOf(world, ada.adId)).map(({ event }) => event);
  assertEquals(events, ["approval_withdrawn"]);
  const [standing, mail, ...more] = await mailsOf(world);
  assertStringIncludes(standing?.subject ?? "", "Your bid for");
  assertEquals(more, []);
  assertStringIncludes(mail?.text ?? "", "void");
  // The card may have been charged in the minute before.
  const words = wordsOf(mail);
  assert(!words.includes("nothing is charged"), words);
  assertStringIncludes(words, "has been charged already goes back");
  await assertRefused(
    () => placeBid(services, bidBy(ada, { amountCents: 2_000 })),
    "human_step_required",
  );
});

Deno.test("each decision is taken in its own state only", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const draft = await verbsOf(services, ada).create();
  const adId = JSON.parse(draft.answer.body).ad_id;
  const onDraft = { adId, by: DESK, typed: DECEPTIVE };
  const onApproved = { adId: ada.adId, by: DESK, typed: DECEPTIVE };
  const calls = [
    () => approveCreative(services, onDraft),
    () => rejectCreative(services, onDraft),
    () => withdrawApproval(services, onDraft),
    () => rejectCreative(services, onApproved),
  ];
  for (const call of calls) {
    const { why } = await assertRefused(call, "creative_refused");
    assertEquals(why.kind, "wrong_state");
  }
  for (const unknown of ["ad_none", "", "../x", "a".repeat(99)]) {
    await assertRefused(
      () => approveCreative(services, { adId: unknown, by: DESK }),
      "creative_not_found",
    );
  }
});

Deno.test("a decision has one effect wherever the process dies", async () => {
  for (const when of MISHAPS) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const adId = await submitted(world.services, ada);
    const dying = world.testStore.another();
    dying.kv.crashAt({ commit: 1, when });
    const input = { adId, by: DESK };
    await approveCreative(world.over(dying.store), input).catch(() => null);
    assert(dying.kv.wentWrong || when === "resent");
    await approveCreative(world.services, input);
    assertEquals((await notesOf(world, adId)).length, 3);
    assertEquals((await mailsOf(world)).length, 1);
  }
});

Deno.test("the desk's queue leaves out what is decided while it is read", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const adId = await submitted(world.services, ada);
  const slow = world.testStore.another();
  const decided = Promise.withResolvers<void>();
  slow.kv.inject({
    on: "read",
    key: keyOf("creatives"),
    fault: { kind: "hold", until: decided.promise },
  });
  const listing = slow.store.listSubmittedCreatives({ limit: 9 });
  while (slow.kv.readCount < 2) await stored(world, ada, adId);
  await approveCreative(world.services, { adId, by: DESK });
  decided.resolve();
  assertEquals(await listing, []);
});

Deno.test("reviewerOf() knows operators only", async () => {
  await using world = await openBiddingWorld();
  const { settings } = world.services;
  const { account } = await world.agent("ada");
  await assertRefused(() => reviewerOf(account, settings), "not_found");
  const operator = { ...account, email: "operator@example.com" };
  assertEquals(reviewerOf(operator, settings), {
    kind: "operator",
    accountId: account.id,
  });
});

Deno.test("no decision is mailed to who wants none, but a withdrawn approval always is", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada", { account: { mutedMails: ["review"] } });
  const approved = await submitted(services, ada);
  const rejected = await submitted(services, ada);
  await approveCreative(services, { adId: approved, by: DESK });
  await rejectCreative(services, {
    adId: rejected,
    by: DESK,
    typed: DECEPTIVE,
  });
  assertEquals(await mailsOf(world), []);
  await withdrawApproval(services, {
    adId: approved,
    by: DESK,
    typed: DECEPTIVE,
  });
  assertEquals((await mailsOf(world)).map(({ subject }) => subject), [
    "The approval of your Spotlight ad was withdrawn",
  ]);
});
