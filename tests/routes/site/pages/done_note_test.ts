import { assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import { secretKeys } from "../../../../config/secret_keys.ts";
import {
  doneAddress,
  doneOf,
  type Told,
} from "../../../../routes/site/pages/done_note.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { AUCTION_DAY } from "../../../support/auction_world.ts";
import { bidder, pageOf, reviewed } from "../../../support/bids_site.ts";
import { ManualClock } from "../../../support/clock.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { openDeskSite } from "../../../support/desk_site.ts";
import { leadOf } from "../../../support/led_to.ts";

const STANDS = "Your bid stands.";
const MINUTE_MS = 60_000;
const DAY_PATH = `/operator/days/${AUCTION_DAY}`;

/** The names that pages had believed of any address. */
const BARE = [
  ["/bids?done=placed", STANDS],
  ["/agents?done=revoked", "The agent was revoked"],
  ["/settings?done=email", "Your e-mail address was changed"],
  ["/settings/privacy?done=kept", "Nothing was erased"],
  ["/billing?done=saved", "The card was saved"],
  ["/billing?done=unsure", "can’t be reached"],
  ["/identity?done=unsure", "can’t be reached"],
  ["/partner?done=payout", "The payout was asked for"],
  ["/creatives?done=identity", "Your identity is verified"],
  ["/onboarding?done=saved", "The company was saved"],
] as const;

/** Bids, and answers the address that the browser was led to. */
async function bidPlaced(
  { browser, typed }: Awaited<ReturnType<typeof bidder>>,
) {
  const { hidden } = await reviewed(browser, typed());
  return leadOf(await browser.post("/bids/place", hidden));
}

Deno.test("no page says that something was done to whoever opens its address", async () => {
  await using site = await openAdvertiserSite();
  const { browser } = await bidder(site);
  for (const [path, note] of BARE) {
    const { status, text } = await pageOf(await browser.get(path));
    assertEquals([path, status, text.includes(note)], [path, 200, false]);
  }
});

Deno.test("no page of the desk says so either", async () => {
  await using opened = await openDeskSite();
  const { desk, world } = opened;
  const own = "/operator/accounts/acc_operator";
  for (
    const [path, note] of [
      [`${DAY_PATH}?done=refund`, "being given back"],
      [`${DAY_PATH}?done=remove`, "was removed"],
      [`${DAY_PATH}?done=again`, "was sent before"],
      [`${own}?done=suspend`, "account is suspended"],
      ["/operator/review?done=approved", "It was approved"],
      ["/operator/keys?done=end", "The key has ended"],
      ["/operator/money?done=event_done", "The event was processed"],
      ["/operator/jobs?done=ran", "The job ran"],
    ] as const
  ) {
    const { status, text } = await pageOf(await desk.get(path));
    assertEquals([path, status, text.includes(note)], [path, 200, false]);
  }
  await openAuction(world.services, { day: AUCTION_DAY });
  // One who did something is told, on that page and no other.
  const lead = leadOf(await actAtDesk(desk, `${DAY_PATH}/close`, {}));
  const shown = await pageOf(await desk.get(lead));
  assertStringIncludes(shown.text, "The auction is closed.");
  const other = lead.replace(DAY_PATH, "/operator/days/2026-11-21");
  const elsewhere = await pageOf(await desk.get(other));
  assertEquals(elsewhere.text.includes("The auction is closed."), false);
});

Deno.test("the address that a bid leads to says so in that browser, for five minutes", async () => {
  await using site = await openAdvertiserSite();
  const ada = await bidder(site);
  const eve = await bidder(site, "eve");
  const lead = await bidPlaced(ada);
  const says = async ({ browser } = ada, path = lead) => {
    const { status, text } = await pageOf(await browser.get(path));
    assertEquals(status, 200);
    return text.includes(STANDS);
  };
  assertEquals(await says(), true);
  assertEquals(await says(eve), false, "sent to another account");
  const elsewhere = await site.browser("ada");
  assertEquals(await says({ ...ada, browser: elsewhere }), false);
  site.world.clock.advance(5 * MINUTE_MS);
  assertEquals(await says(), true, "loaded again at once");
  site.world.clock.advance(1_000);
  assertEquals(await says(), false, "completed or restored later");
});

Deno.test("a page is shown without the note where the address was made up, repeated or is long", async () => {
  await using site = await openAdvertiserSite();
  const ada = await bidder(site);
  const lead = await bidPlaced(ada);
  const [, sealed = ""] = lead.split("?done=");
  const [, second = "", mac = ""] = sealed.split(".");
  for (
    const query of [
      "done=",
      "done",
      `done=placed.${second}`,
      `done=placed.${second}.${"A".repeat(mac.length)}`,
      `done=placed.${second}.${mac}x`,
      `done=placed.zzzzzzzzz.${mac}`,
      `done=__proto__.${second}.${mac}`,
      `done=constructor.${second}.${mac}`,
      `done=%00%ff%F0%9F%92%A9&done=${sealed}`,
      `done=placed&done=${sealed}`,
      `done=${"x".repeat(10_000)}`,
      `done=${sealed}${"A".repeat(10_000)}`,
      `done=${"placed.".repeat(1_400)}`,
      `done[]=${sealed}`,
    ]
  ) {
    const answer = await pageOf(await ada.browser.get(`/bids?${query}`));
    assertEquals(
      [query.slice(0, 60), answer.status, answer.text.includes(STANDS)],
      [query.slice(0, 60), 200, false],
    );
  }
  const twice = await ada.browser.get(`${lead}&done=${"y".repeat(10_000)}`);
  assertEquals(twice.status, 200);
  await twice.body?.cancel();
});

const OLD = "o".repeat(40);
const NEW = "n".repeat(40);

/** A browser's stay, told by a service with these secrets. */
function told(secrets: [string, ...string[]], clock = new ManualClock()): Told {
  return {
    services: { keys: secretKeys({ secrets }), clock },
    signedIn: { session: { bindingId: "stay_1" } },
  };
}

/** What such an address says to whoever is told. */
function readAt(address: string, by: Told): string | null {
  const url = new URL(address, "http://localhost");
  return doneOf({
    ...by,
    query: (name) => url.searchParams.get(name),
    context: { req: { raw: new Request(url) } } as never,
  });
}

Deno.test("doneOf() reads what another process has sealed, under the key before too, and whose clock is ahead", () => {
  const clock = new ManualClock();
  const ahead = new ManualClock();
  ahead.advance(4_000);
  const at = { path: "/agents", done: "revoked", part: "list" };
  const address = doneAddress(told([OLD], ahead), at);
  assertEquals(readAt(address, told([OLD], clock)), "revoked");
  assertEquals(readAt(address, told([NEW, OLD], clock)), "revoked");
  assertEquals(readAt(address, told([NEW], clock)), null);
  ahead.advance(10 * MINUTE_MS);
  const later = doneAddress(told([OLD], ahead), at);
  assertEquals(readAt(later, told([OLD], clock)), null, "from the future");
});

Deno.test("doneOf() takes no character of an address otherwise than it was sealed", () => {
  const here = told([OLD]);
  const at = { path: "/agents", done: "revoked" };
  const address = doneAddress(here, at);
  assertEquals(address.length - "/agents?done=revoked".length, 24, "short");
  for (let place = 0; place < address.length; place++) {
    for (const other of ["b", "7"]) {
      if (address[place] === other) continue;
      const changed = address.slice(0, place) + other +
        address.slice(place + 1);
      assertEquals(readAt(changed, here), null, changed);
    }
  }
});
