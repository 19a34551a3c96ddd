import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import type { Day } from "../../../../domain/day.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import {
  bidder,
  pageOf,
  placed,
  reviewed,
  standingBid,
  type Typed,
} from "../../../support/bids_site.ts";
import {
  type Agent,
  approvedCreative,
  BID_DAY_CLOSES_MS,
  bidBy,
} from "../../../support/bidding_world.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

Deno.test("/bids places a bid: form, review, and the bid that stands", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const before = await pageOf(await browser.get("/bids"));
  assertStringIncludes(before.text, "You have not bid.");
  assert(!before.text.includes("Earlier bids"));
  assertStringIncludes(
    before.text,
    "20 Nov 23:55 – 21 Nov 23:55 UTC",
  );
  const review = await reviewed(browser, typed());
  assertEquals(review.status, 200);
  assertStringIncludes(review.text, "is charged EUR 12.50 after the auction");
  assertStringIncludes(
    review.text,
    "Winner is shown 20 Nov 23:55 – 21 Nov 23:55 UTC",
  );
  assertEquals(await standingBid(site, agent), null, "nothing was placed yet");
  const answer = await browser.post("/bids/place", review.hidden);
  assertEquals([answer.status, ledTo(answer)], [303, "/bids?done=placed"]);
  assertEquals(await standingBid(site, agent), [1_250, null, agent.cardId]);
  const after = await pageOf(await browser.get(leadOf(answer)));
  assertStringIncludes(after.text, "Your bid stands.");
  assertStringIncludes(after.text, "EUR 12.50");
  assertStringIncludes(after.text, "placed by you");
  assertStringIncludes(after.text, "Raise your bid");
});

Deno.test("/bids raises a bid and says what it must be above", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  await placed(browser, (await reviewed(browser, typed())).hidden);
  const low = await reviewed(browser, typed({ card: "", amount: "12.50" }));
  assertEquals(low.status, 409);
  assertStringIncludes(low.text, "Your bid stands at EUR 12.50.");
  assertStringIncludes(low.html, 'value="12.50"');
  const review = await reviewed(browser, typed({ card: "", amount: "13" }));
  assertStringIncludes(review.text, "Raise the bid to EUR 13.00");
  await placed(browser, review.hidden);
  assertEquals((await standingBid(site, agent))?.[0], 1_300);
});

Deno.test("/bids raises with the ad that the bid stands on, unless another is chosen", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const first = agent.account.id;
  for (const name of ["later", "latest"]) {
    await site.services.store.transact((tx) =>
      tx.creatives.save({ ...approvedCreative(name), accountId: first })
    );
  }
  const chosen = async () => {
    const { html } = await pageOf(await browser.get("/bids"));
    return html.match(/<input [^>]*type="radio"[^>]*>/g)
      ?.filter((radio) => radio.includes("checked"))
      .map((radio) => /value="([^"]*)"/.exec(radio)?.[1]);
  };
  const bids = [
    { ad: agent.adId, amount: "12" },
    { ad: "ad_latest", amount: "13", card: "" },
    { ad: "ad_later", amount: "14", card: "" },
  ];
  for (const bid of bids) {
    await placed(browser, (await reviewed(browser, typed(bid))).hidden);
    assertEquals(await chosen(), [bid.ad]);
  }
});

Deno.test("/bids: a second click, and going back, place nothing again", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const { hidden } = await reviewed(browser, typed());
  const clicks = await Promise.all(
    [1, 2, 3].map(() => placed(browser, hidden)),
  );
  assertEquals(clicks, Array(3).fill([303, "/bids?done=placed"]));
  // A raise later on, and the first form once more.
  const raise = await reviewed(browser, typed({ card: "", amount: "20" }));
  await placed(browser, raise.hidden);
  assertEquals(await placed(browser, hidden), [303, "/bids?done=placed"]);
  assertEquals((await standingBid(site, agent))?.[0], 2_000);
});

Deno.test("/bids: of two tabs the second is shown the bid of the first", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const first = await reviewed(browser, typed());
  const second = await reviewed(browser, typed({ amount: "30" }));
  await placed(browser, first.hidden);
  const answer = await browser.post("/bids/place", second.hidden);
  const page = await pageOf(answer);
  assertEquals(page.status, 409);
  assertStringIncludes(page.text, "You placed a bid for this day meanwhile.");
  assertStringIncludes(page.html, 'value="30"');
  assertEquals((await standingBid(site, agent))?.[0], 1_250);
});

Deno.test("/bids/review answers no form, and one that was tampered with, with what is wrong", async () => {
  await using site = await openAdvertiserSite();
  const { browser, typed } = await bidder(site);
  const noAd = "Choose the advertisement";
  const cases: [Typed, string, string[], number?][] = [
    [{ amount: "" }, "Type an amount in euros", ["amount"]],
    [{ amount: "1,000" }, "Type an amount in euros", ["amount"]],
    [{ amount: "0.99" }, "A bid is from EUR 1.00 to EUR 1,000,000.00.", [
      "amount",
    ]],
    [{ amount: "1000000.01" }, "A bid is from EUR 1.00", ["amount"]],
    [{ ad: "" }, noAd, ["ad"]],
    [{ ad: "ad_of_another" }, noAd, ["ad"]],
    [{ day: "tomorrow" }, noAd, ["ad"]],
    [{ day: "2026-11-25" }, "has not opened yet", [], 409],
    [{ card: "pm_of_another" }, "Choose one of your saved cards.", ["card"]],
  ];
  for (const [changes, says, faulty, status = 400] of cases) {
    const page = await reviewed(browser, typed(changes));
    assertEquals(page.status, status, JSON.stringify(changes));
    assertStringIncludes(page.text, says, JSON.stringify(changes));
    assertFaults(page.html, faulty);
  }
});

Deno.test("/bids/place without a token of a page of ours asks for a review, and places nothing", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  for (const token of ["", "x", "y".repeat(44)]) {
    const page = await pageOf(
      await browser.post("/bids/place", typed({ token })),
    );
    assertStringIncludes(page.text, "Place the bid of EUR 12.50");
  }
  assertEquals(await standingBid(site, agent), null);
});

Deno.test("/bids/place says that the auction closed while the form was open", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const { hidden } = await reviewed(browser, typed());
  site.world.clock.set(BID_DAY_CLOSES_MS);
  await browser.signInAgain();
  const page = await pageOf(await browser.post("/bids/place", hidden));
  assertEquals(page.status, 409);
  assertStringIncludes(page.text, "The bid was not placed: the auction of");
  assertStringIncludes(page.text, "has closed");
  assertStringIncludes(page.text, "No auction is open");
  assertEquals(await standingBid(site, agent), null);
});

Deno.test("/bids asks for a newer sign-in before anything is typed", async () => {
  await using site = await openAdvertiserSite();
  const { browser } = await bidder(site);
  const way = '<a href="/sign-in?next=%2Fbids">Confirm that it is you</a>';
  const asksFirst = async () =>
    (await pageOf(await browser.get("/bids"))).html.includes(way);
  assertEquals(await asksFirst(), false);
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  assertEquals(await asksFirst(), true);
  await browser.signInAgain();
  assertEquals(await asksFirst(), false);
});

Deno.test("/bids keeps what was typed when the session has ended", async () => {
  await using site = await openAdvertiserSite();
  const { agent, typed } = await bidder(site);
  const sent = (path: string) =>
    site.visitor(path, {
      method: "POST",
      body: typed(),
      headers: { origin: site.services.settings.baseUrl },
    });
  for (const path of ["/bids/review", "/bids/place"]) {
    const page = await pageOf(await sent(path));
    assertEquals(page.status, 401);
    assertStringIncludes(page.text, "Nothing was placed.");
    assertEquals(page.hidden.get("amount"), "12.50");
    assertEquals(page.hidden.get("ad"), agent.adId);
  }
  const shown = await site.visitor("/bids");
  await shown.body?.cancel();
  assertEquals(shown.headers.get("location"), "/sign-in?next=%2Fbids");
});

Deno.test("a bid in the browser takes a sign-in of the last 10 minutes, and what was typed survives another one", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  const { hidden } = await reviewed(browser, typed());
  const { clock } = site.world;
  clock.advance(FRESH_SIGN_IN_MS + 1);
  for (
    const [path, form] of [
      ["/bids/place", hidden],
      ["/bids/review", typed()],
    ] as const
  ) {
    const stale = await pageOf(await browser.post(path, form));
    assertEquals(stale.status, 401);
    assertStringIncludes(stale.text, "Nothing was placed.");
    assertStringIncludes(stale.text, "a sign-in of the last 10 minutes");
    assertStringIncludes(stale.html, 'href="/sign-in?next=%2Fbids"');
    assertStringIncludes(stale.html, 'action="/bids/review"');
    const { id } = browser.account;
    assertEquals(
      [...stale.hidden],
      [["shown_to", id], ...typed()],
      "and no token",
    );
    assertEquals(await standingBid(site, agent), null);
  }
  await browser.signInAgain();
  const review = await reviewed(browser, typed());
  assertStringIncludes(review.text, "Place the bid of EUR 12.50");
  assertEquals(await standingBid(site, agent), null, "it is confirmed there");
  clock.advance(FRESH_SIGN_IN_MS);
  await placed(browser, review.hidden);
  assertEquals((await standingBid(site, agent))?.[0], 1_250);
});

Deno.test("a bid is charged to the card that was reviewed, or is not placed", async () => {
  for (const isRaise of [false, true]) {
    await using site = await openAdvertiserSite();
    const { agent, browser, typed } = await bidder(site);
    if (isRaise) await placeBid(site.services, bidBy(agent));
    const before = await standingBid(site, agent);
    const { text, hidden } = await reviewed(browser, typed({ card: "" }));
    assertStringIncludes(text, "Visa ending in 4242 is charged");
    await chooseAnother(site, agent);
    const answer = await browser.post("/bids/place", hidden);
    const page = await pageOf(answer);
    assertEquals(page.status, 409);
    assertStringIncludes(page.text, "your default card has changed");
    assertEquals(await standingBid(site, agent), before);
    hidden.delete("reviewed_card");
    const unnamed = await reviewed(browser, typed({ card: "" }));
    assertStringIncludes(unnamed.text, "Mastercard ending in 4444 is charged");
    const again = await pageOf(await browser.post("/bids/place", hidden));
    assertStringIncludes(again.text, "Mastercard ending in 4444 is charged");
    assertEquals(await standingBid(site, agent), before);
    await placed(browser, again.hidden);
    assertEquals(await standingBid(site, agent), [1_250, null, "pm_second"]);
  }
});

/** The default card is changed elsewhere. */
async function chooseAnother(
  { services: { store } }: AdvertiserSite,
  { account, cardId }: Agent,
): Promise<void> {
  await store.transact(async (tx) => {
    const card = await tx.paymentMethods.find(account.id, cardId);
    const owner = await tx.accounts.find(account.id);
    assert(card !== null && owner !== null);
    const other = { id: "pm_second", brand: "mastercard", last4: "4444" };
    tx.paymentMethods.save({ ...card, ...other });
    tx.accounts.save({ ...owner, defaultPaymentMethodId: other.id });
  });
}

Deno.test("/bids shows the next of the five steps in place of the form, after what keeps the account from all", async () => {
  await using site = await openAdvertiserSite();
  const noIdentity = { identityStatus: "unverified" } as const;
  const noCard = { ...noIdentity, defaultPaymentMethodId: null };
  const cases = [
    [{ company: null }, 'href="/onboarding">Enter your company'],
    [noCard, 'href="/billing">Save a card'],
    [noIdentity, 'href="/identity">Prove your identity'],
    [{ cardRefused: true }, 'href="/billing">Replace your card'],
    [{ suspendedAtMs: 1 }, 'href="/account">See why'],
    [{ ...noIdentity, suspendedAtMs: 1 }, 'href="/account">See why'],
  ] as const;
  for (const [nth, [changes, way]] of cases.entries()) {
    const name = `ada${nth}`;
    await site.world.agent(name);
    const browser = await site.browser(name, changes);
    const { html, text } = await pageOf(await browser.get("/bids"));
    const [, auction] = html.split('<section class="auction">');
    assertStringIncludes(auction ?? "", way);
    assert(!text.includes("Amount in euros"), way);
  }
});

Deno.test("/bids names the card that a bid costs before its button, and asks which where there are several", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  const one = await pageOf(await browser.get("/bids"));
  assertMatch(one.text, /If it wins, \w+ ending in \d{4} is charged what you/);
  assert(!one.html.includes('name="card"'));
  await chooseAnother(site, agent);
  const two = await pageOf(await browser.get("/bids"));
  assertStringIncludes(two.html, '<select id="card"');
  assertMatch(two.text, /If it wins, the card is charged what you bid/);
});

Deno.test("/bids shows an agent's bid with the agent's name, and lets the person raise it", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, typed } = await bidder(site);
  await placeBid(site.services, bidBy(agent));
  const { text } = await pageOf(await browser.get("/bids"));
  assertStringIncludes(text, "EUR 10.00");
  assertStringIncludes(text, `by your agent ${agent.grant.client.name}`);
  const review = await reviewed(browser, typed({ card: "" }));
  assertStringIncludes(review.text, "Your bid now EUR 10.00");
  await placed(browser, review.hidden);
  assertEquals((await standingBid(site, agent))?.slice(0, 2), [1_250, null]);
});

Deno.test("/bids shows nobody's bids but one's own, nor how many there are", async () => {
  await using site = await openAdvertiserSite();
  const rival = await site.world.agent("rival");
  await placeBid(site.services, bidBy(rival, { amountCents: 77_700 }));
  const { browser } = await bidder(site);
  const { text, html } = await pageOf(await browser.get("/bids"));
  assert(!text.includes("777"), text);
  const one = html.replace(/\d+ min/g, "");
  const second = await site.world.agent("second");
  await placeBid(site.services, bidBy(second));
  const again = await pageOf(await browser.get("/bids"));
  assertEquals(again.html.replace(/\d+ min/g, ""), one);
});

Deno.test("/bids shows the bids that stand for days to come, whoever placed them", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  const { services } = site;
  const ask = async () => await pageOf(await browser.get("/bids"));
  assert(!(await ask()).text.includes("days to come"));
  for (
    const [day, amountCents] of [["2026-11-21", 4_200], [
      "2026-12-04",
      55_555,
    ]] as const
  ) {
    await openAuction(services, { day: day as Day });
    await placeBid(services, bidBy(agent, { day: day as Day, amountCents }));
  }
  const eve = await bidder(site, "eve");
  const { text } = await ask();
  assertMatch(
    text,
    /Bids for days to come 21 Nov 2026 EUR 42\.00 It stands\. Its auction closes on 21 November 2026, 23:55 UTC \./,
  );
  assertMatch(
    text,
    /4 Dec 2026 EUR 555\.55 It stands\. Its auction closes on 4 December 2026, 23:55 UTC \. .*by your agent/,
  );
  assertStringIncludes(text, "You have not bid.");
  const others = await pageOf(await eve.browser.get("/bids"));
  assert(!others.text.includes("555.55") && !others.text.includes("to come"));
  // The day before has closed: the next of them is bid in here.
  site.world.clock.advance(BID_DAY_CLOSES_MS - services.clock.now());
  const next = await ask();
  assertMatch(next.text, /Auction for .*21 November 2026.* EUR 42\.00/);
  assertEquals(
    next.text.match(/EUR 42\.00/g)?.length,
    2,
    "as what is to be raised",
  );
  assertStringIncludes(next.text, "EUR 555.55 It stands.");
});
