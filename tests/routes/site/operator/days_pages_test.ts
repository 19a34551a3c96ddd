import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import { addDays } from "../../../../domain/day.ts";
import { settleDay } from "../../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY } from "../../../support/auction_world.ts";
import { actAtDesk, askedToken } from "../../../support/desk_acts.ts";
import { deskText, openDeskSite } from "../../../support/desk_site.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const DAYS = "/operator/days";
const TODAY = `${DAYS}/${AUCTION_DAY}`;

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

/** A day with a winner whose card is good, one whose is not, and one more. */
async function openedDay() {
  const opened = await openDeskSite();
  const { world } = opened;
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(await world.advertiser("ann"), 71_101);
  await world.bid(await world.advertiser("cid"), 72_202);
  const refused = await world.advertiser("bob", "pm_card_chargeCustomerFail");
  await world.bid(refused, 73_303);
  return opened;
}

async function settledDay() {
  const opened = await openedDay();
  const { desk, world } = opened;
  await actAtDesk(desk, `${TODAY}/close`, {});
  await settleDay(world.services, { day: AUCTION_DAY, force: true });
  return opened;
}

Deno.test("the pages of days are there for operators only", async () => {
  await using opened = await openedDay();
  const eve = await opened.site.browser("eve");
  for (const path of [DAYS, TODAY]) {
    assertEquals((await eve.get(path)).status, 404);
    assertEquals((await opened.site.visitor(path)).status, 303);
  }
  for (const act of ["close", "settle", "remove", "refund"]) {
    const fields = form({ reason: "Why.", confirmed: "yes" });
    assertEquals((await eve.post(`${TODAY}/${act}`, fields)).status, 404);
    const outside = { origin: "https://evil.example" };
    const sent = await opened.desk.post(`${TODAY}/${act}`, fields, outside);
    assertEquals(sent.status, 403);
  }
  const { store } = opened.world.services;
  assertEquals((await store.auctions.find(AUCTION_DAY))?.phase, "OPEN");
});

Deno.test("days are listed newest first, back to the launch, and opened by their date", async () => {
  await using opened = await openDeskSite();
  const { world: { services, clock }, desk } = opened;
  await openAuction(services, { day: AUCTION_DAY });
  clock.advance(20 * 86_400_000);
  await desk.signInAgain();
  const newest = await (await desk.get(DAYS)).text();
  const days = [...newest.matchAll(/href="\/operator\/days\/([\d-]+)"/g)]
    .map(([, day]) => day);
  assertEquals(days.length, 14);
  assertEquals(days[0], addDays(AUCTION_DAY, 20));
  const [, older = ""] = /href="([^"]+)" rel="next"/.exec(newest) ?? [];
  const last = await (await desk.get(older)).text();
  assertStringIncludes(last, TODAY);
  assert(!last.includes(addDays(AUCTION_DAY, -1)), "nothing before the launch");
  assert(!last.includes('rel="next"'));
  const sought = await desk.get(`${DAYS}?day=${AUCTION_DAY}`);
  assertEquals(sought.headers.get("location"), TODAY);
  const wrong = await (await desk.get(`${DAYS}?day=2026-02-30`)).text();
  assertStringIncludes(wrong, "Write a day as YYYY-MM-DD.");
  for (const path of ["2026-02-30", "x", "%00"]) {
    assertEquals((await desk.get(`${DAYS}/${path}`)).status, 404);
  }
});

Deno.test("a day is closed early at the desk, which asks once, and tells no bidder and no amount until it has settled", async () => {
  await using opened = await openedDay();
  const { desk, world } = opened;
  const { store } = world.services;
  assertStringIncludes(await deskText(desk, TODAY), "Opened for bids");
  await askedToken(await desk.post(`${TODAY}/close`, ""));
  assertEquals((await store.auctions.find(AUCTION_DAY))?.phase, "OPEN");
  const answer = await actAtDesk(desk, `${TODAY}/close`, {});
  assertEquals(ledTo(answer), `${TODAY}?done=close`);
  const text = await deskText(desk, leadOf(answer));
  assertStringIncludes(text, "The auction is closed.");
  assertStringIncludes(text, "Closed the auction 2026-11-20");
  assertStringIncludes(text, "20 Nov 08:00:00 Closed, with 3 bidders");
  assertStringIncludes(text, "Candidate 1 , waits for its turn");
  for (
    const sealed of [/71101|72202|73303|711\.01/, /acc_|bid_/, /Closed?.*EUR/]
  ) {
    assert(!sealed.test(text), `${sealed}`);
  }
});

Deno.test("a settled day tells each candidate's steps with times, its invoice, books, archive and mail", async () => {
  await using opened = await openedDay();
  const { desk, world: { clock, services } } = opened;
  await actAtDesk(desk, `${TODAY}/close`, {});
  clock.advance(61_000);
  const answer = await actAtDesk(desk, `${TODAY}/settle`, {});
  assertEquals(ledTo(answer), `${TODAY}?done=settle`);
  const text = await deskText(desk, TODAY);
  for (
    const step of [
      /Candidate 1 , acc_bob with bid_\w+/,
      /20 Nov 08:01:01 The invoice is final, and the charge began/,
      /Not paid: the invoice is cancelled/,
      /Passed over, unpaid: \w+/,
      /Candidate 2 , acc_cid with bid_\w+/,
      /Paid: the day is sold/,
      /Invoice \S+ over EUR 722\.02, paid/,
      /Booked: the sale, settlement:2026-11-20/,
      /The document is yet to be archived/,
      /The mail to its owner waits/,
      /Candidate 3 , acc_ann with bid_\w+ , not needed/,
      /Settled: its advertisement is shown/,
      /Bidders are told that they have not won/,
    ]
  ) assertMatch(text, step);
  const { records } = opened.site;
  assertEquals(records.snapshot.newestSettledDay, AUCTION_DAY, "at once");
  const settlement = await services.store.settlements.find(AUCTION_DAY);
  const steps = settlement?.candidates.map(({ moves = [] }) =>
    moves.map(({ step }) => step)
  );
  const upToCharge = ["creating", "itemizing", "finalizing", "paying"];
  assertEquals(steps, [
    [...upToCharge, "voiding", "passed_over"],
    [...upToCharge, "won"],
    [],
  ]);
});

Deno.test("candidates of an earlier version show their last step alone", async () => {
  await using opened = await settledDay();
  const { desk, world: { services: { store } } } = opened;
  await store.transact(async (tx) => {
    const settlement = await tx.settlements.find(AUCTION_DAY);
    assert(settlement !== null);
    const candidates = settlement.candidates.map((
      { moves: _moves, mailId: _mailId, ...before },
    ) => before);
    tx.settlements.save({ ...settlement, candidates });
  });
  const text = await deskText(desk, TODAY);
  assertMatch(text, /Candidate 2 , acc_cid with bid_\w+ 20 Nov 08:00:00 Paid/);
  assert(!text.includes("the charge began"));
  assert(!text.includes("The mail to its owner"));
});

Deno.test("a settlement that waits says when it is tried next", async () => {
  await using opened = await openedDay();
  const { desk, world } = opened;
  await actAtDesk(desk, `${TODAY}/close`, {});
  world.simulator.control.addFault({ kind: "rate_limit", method: "POST" });
  await actAtDesk(desk, `${TODAY}/settle`, {});
  const waiting = await deskText(desk, TODAY);
  assertMatch(waiting, /Being settled; the next try is at 20 Nov 08:00:01/);
  await actAtDesk(desk, `${TODAY}/settle`, {});
  assertStringIncludes(await deskText(desk, TODAY), "the day is sold");
});

Deno.test("a Spotlight is removed with a reason, and its money given back where that is ticked", async () => {
  await using opened = await settledDay();
  const { desk, site, world } = opened;
  const { store } = world.services;
  const path = `${TODAY}/remove`;
  const empty = await desk.post(path, form({ reason: " " }));
  assertEquals(empty.status, 400);
  const told = await empty.text();
  assertStringIncludes(told, "without a reason");
  assertFaults(told, ["reason-remove"]);
  const typed = { reason: "A <court> order.", refund: "yes" };
  const asked = await (await desk.post(path, form(typed))).text();
  assertStringIncludes(asked, "Remove the Spotlight?");
  assertStringIncludes(asked, "The winner gets the money back.");
  assertStringIncludes(asked, "A &lt;court&gt; order.");
  assertEquals((await store.spotlights.find(AUCTION_DAY))?.removedAtMs, null);
  const answer = await actAtDesk(desk, path, typed);
  assertEquals(ledTo(answer), `${TODAY}?done=remove`);
  assertEquals(site.records.snapshot.records.length, 0, "gone at once");
  const text = await deskText(desk, TODAY);
  assertStringIncludes(text, "Removed: A &lt;court&gt; order.");
  assertMatch(text, /Credit note \S+ over EUR 722\.02/);
  assertStringIncludes(text, "The money was given back");
  assert(!text.includes("Give the money back"), "it is back");
});

Deno.test("a Spotlight is removed without a refund, which may follow by itself, once", async () => {
  await using opened = await settledDay();
  const { desk, world } = opened;
  await actAtDesk(desk, `${TODAY}/remove`, { reason: "Not true." });
  const before = await deskText(desk, TODAY);
  assert(!before.includes("Credit note"));
  const reason = "It was shown for an hour.";
  await actAtDesk(desk, `${TODAY}/refund`, { reason });
  const again = await actAtDesk(desk, `${TODAY}/refund`, { reason });
  assertEquals(again.status, 303);
  const refunds = await world.stripe.refunds.list();
  assertEquals(refunds.data.map(({ amount }) => amount), [72_202]);
});

Deno.test("what can't be done about a day is told with how it stands", async () => {
  await using opened = await openedDay();
  const { desk } = opened;
  const cases = [
    [`${TODAY}/settle`, {}, "may still take bids"],
    [`${TODAY}/remove`, { reason: "Why." }, "has no Spotlight"],
    [`${TODAY}/refund`, { reason: "Why." }, "nobody paid for this day"],
    [`${DAYS}/2026-11-21/close`, {}, "nobody has opened"],
    [`${DAYS}/2026-11-21/settle`, {}, "the day has not begun"],
  ] as const;
  for (const [path, fields, why] of cases) {
    const answer = await actAtDesk(desk, path, fields);
    assertEquals(answer.status, 409, path);
    assertStringIncludes(await answer.text(), why);
  }
});
