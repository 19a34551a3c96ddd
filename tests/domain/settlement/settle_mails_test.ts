/** What bidders are mailed when their day is settled: each once, with it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { MailKind } from "../../../domain/mail/mail_kinds.ts";
import {
  isNewMail,
  type OutboxMail,
} from "../../../domain/mail/outbox_mail.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Services } from "../../../domain/ports.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import { wordsOfVoid } from "../../../domain/settlement/void_reasons.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  type AuctionWorldOptions,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";

/** Who bids, from the highest bid down, with which card. */
const CARDS = {
  ada: "pm_card_chargeCustomerFail",
  bob: "pm_card_visa",
  eve: "pm_card_visa",
  kim: "pm_card_visa",
};

/** How each of them ends. */
const ENDS: Readonly<Record<string, MailKind[]>> = {
  ada: ["bid_payment_failed"],
  bob: ["bid_void"],
  eve: ["bid_won"],
  kim: ["bid_lost"],
};

/** The day just past its closing; the approval of bob's ad is withdrawn. */
async function openDay(
  options: AuctionWorldOptions = {},
): Promise<AuctionWorld> {
  const world = await openAuctionWorld(options);
  const { store } = world.services;
  await openAuction(world.services, { day });
  let amountCents = 5_000;
  for (const [name, card] of Object.entries(CARDS)) {
    await world.bid(await world.advertiser(name, card), amountCents--);
  }
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find("acc_bob", "ad_bob");
    assert(creative !== null);
    tx.creatives.save({ ...creative, state: "rejected" });
  });
  world.clock.set(`${day}T23:55:00.000Z`);
  return world;
}

async function settleAll(world: AuctionWorld): Promise<void> {
  await closeAuction(world.services, { day });
  await settleInTime(world);
  await notifyBidders(world.services);
}

/** The mails about bids, by whom they are to. */
async function mailsOf(
  { services: { store } }: AuctionWorld,
): Promise<Record<string, OutboxMail[]>> {
  const mails = await store.listMails({ limit: 100 });
  const byName: Record<string, OutboxMail[]> = {};
  for (const name of Object.keys(CARDS)) {
    const account = await store.accounts.find(`acc_${name}`);
    byName[name] = mails.filter(({ to }) => to === account?.email);
  }
  return byName;
}

async function kindsOf(
  world: AuctionWorld,
): Promise<Record<string, (MailKind | undefined)[]>> {
  return Object.fromEntries(
    Object.entries(await mailsOf(world)).map(([name, mails]) => [
      name,
      mails.map(({ kind }) => kind),
    ]),
  );
}

Deno.test("each bidder of a day is mailed how the bid ended, and what follows", async () => {
  await using world = await openDay();
  await settleAll(world);
  assertEquals(await kindsOf(world), ENDS);
  const mails = await mailsOf(world);
  const [invoice] = await world.services.store
    .listInvoices("acc_eve", { limit: 9 });
  const window = "20 Nov 23:55 – 21 Nov 23:55 UTC";
  const said: Record<string, string[]> = {
    ada: [
      "Visa card ending in 0341 was refused",
      `Would have been shown: ${window}`,
      "Your account can't bid until you save another card, or choose one that " +
      "you have for future bids. To bid for 2026-11-21, do so before its " +
      "auction closes on 2026-11-21 23:55 UTC.",
      "https://spotlight.example/billing",
    ],
    bob: [
      "Bid: EUR 49.99",
      "Why: The approval of its ad was withdrawn",
      "You are not charged.",
      "https://spotlight.example/creatives",
    ],
    eve: [
      `Shown: ${window}`,
      "Charged: EUR 49.98",
      `Invoice: ${invoice?.number}`,
      `https://spotlight.example/spotlights/${day}`,
      `https://spotlight.example/invoices/${invoice?.number}`,
    ],
    kim: [
      "Bid: EUR 49.97",
      "You are not charged.",
      "The auction for 2026-11-21 closes on 2026-11-21 23:55 UTC.",
      "https://spotlight.example/bids",
    ],
  };
  for (const [name, all] of Object.entries(said)) {
    for (const each of all) {
      assertStringIncludes(wordsOf(mails[name]?.[0]), each);
    }
  }
});

Deno.test("no bidder of a day is told an amount but the own, nor anybody's name", async () => {
  await using world = await openDay();
  await settleAll(world);
  const amounts = ["50.00", "49.99", "49.98", "49.97"];
  for (const [nth, mails] of Object.values(await mailsOf(world)).entries()) {
    const own = amounts[nth] ?? "";
    const words = mails.map(({ text, html = "", subject }) =>
      text + html + subject
    ).join();
    assertStringIncludes(words, `EUR ${own}`);
    for (const other of amounts.filter((each) => each !== own)) {
      assert(!words.includes(other), `${own} is told ${other}`);
    }
    for (const name of Object.keys(CARDS).toSpliced(nth, 1)) {
      assert(!new RegExp(`\\b${name}\\b`, "i").test(words), name);
    }
  }
});

Deno.test("a crash before or after any commit of a day mails each bidder once how the bid ended", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openDay({ isAtHand: true });
    const doomed = world.another();
    doomed.kv.crashAt(point);
    await liveUntilCrash(doomed.services);
    for (let minute = 0; minute < 3; minute++) {
      world.clock.advance(60_000);
      await advanceAuctions(world.services);
    }
    await settleInTime(world);
    await notifyBidders(world.services);
    assertEquals(await kindsOf(world), ENDS, JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 12, `${points} crash points`);
});

async function liveUntilCrash(services: Services): Promise<void> {
  try {
    await advanceAuctions(services);
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("processes that settle a day and tell its bidders at once mail each of them once", async () => {
  await using world = await openDay();
  const all = [world, world.another(), world.another()];
  await Promise.all(all.map(({ services }) => advanceAuctions(services)));
  await settleAll(world);
  assertEquals(await kindsOf(world), ENDS);
});

Deno.test("who wants no mail of lost bids gets none, and all others", async () => {
  await using world = await openDay();
  const { store } = world.services;
  for (const name of Object.keys(CARDS)) {
    await store.transact(async (tx) => {
      const account = await tx.accounts.find(`acc_${name}`);
      assert(account !== null);
      tx.accounts.save({ ...account, mutedMails: ["bid_lost"] });
    });
  }
  await settleAll(world);
  assertEquals(await kindsOf(world), { ...ENDS, kim: [] });
});

Deno.test("of the mails about a day that of who lost alone can be switched off, in both forms", async () => {
  await using world = await openDay();
  await settleAll(world);
  const { kim: [lost] = [], ...others } = await mailsOf(world);
  const url = lost?.unsubscribeUrl ?? "";
  assert(url.startsWith("https://spotlight.example/unsubscribe/acc_kim~"), url);
  assertStringIncludes(lost?.text ?? "", `Get no more of these mails:\n${url}`);
  assertStringIncludes(lost?.html ?? "", `<a href="${url}"`);
  for (const [mail] of Object.values(others)) {
    assertEquals(mail?.unsubscribeUrl, undefined);
    assert(!mail?.text.includes("/unsubscribe/"));
  }
});

Deno.test("mails to who lost wait for the sweep, so that no code waits behind them", async () => {
  await using world = await openDay();
  await settleAll(world);
  const { kim = [], eve = [] } = await mailsOf(world);
  assertEquals(kim.map(isNewMail), [false]);
  assertEquals(eve.map(isNewMail), [true]);
  const { store, clock } = world.services;
  const due = await store.listDue("mails", clock.now(), { limit: 9 });
  assert(due.some(({ id }) => id === kim[0]?.id));
});

Deno.test("a void bid has a reason in its owner's words, also by a note that no version writes now", () => {
  assertEquals(wordsOfVoid("suspended").why, "Your account is suspended");
  for (const note of ["uncertain for 60 minutes", "toString", ""]) {
    const { why } = wordsOfVoid(note);
    assertEquals(why, "Your account or the ad no longer qualified");
  }
});
