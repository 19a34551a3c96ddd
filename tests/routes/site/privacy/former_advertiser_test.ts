/** An erased person's name on everything public that tells of a settled day. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { eraseBids } from "../../../../domain/privacy/erase_bids.ts";
import type { Services } from "../../../../domain/ports.ts";
import { ogSvg } from "../../../../routes/site/og/og_svg.ts";
import { OUTSIDE } from "../../../support/outside.ts";
import { spotlight } from "../../../support/public_spotlights.ts";
import {
  openSite,
  type SiteApp,
  TEST_SETTINGS,
} from "../../../support/site_app.ts";

const DAY = "2026-11-18";
const NAME = "Wilhelmina Quist";
const ACCOUNT = "acc_quist";

/** What tells of the day; search and `/ask` hold every hit against the store. */
const PUBLIC = [
  "/",
  "/spotlights",
  `/spotlights/${DAY}`,
  "/feed.xml",
  "/feed.json",
  "/api/v1/spotlight",
  "/api/v1/spotlights",
  `/api/v1/spotlights/${DAY}`,
] as const;

/** A day that the person won, as it was settled. */
async function personsDay(): Promise<SiteApp> {
  const won = { ...spotlight(DAY), advertiser: NAME, accountId: ACCOUNT };
  const site = await openSite([won]);
  await site.test.store.transact((tx) => {
    tx.calendar.save({ launchDay: won.day, settledThroughDay: won.day });
    tx.bids.save({
      id: "bid_1",
      day: won.day,
      accountId: ACCOUNT,
      adId: "ad_1",
      amountCents: 5_000,
      paymentMethodId: "pm_1",
      grantId: null,
      status: "won",
      placedAtMs: 0,
    });
    tx.auctions.save({
      day: won.day,
      phase: "CLOSED",
      openedAtMs: 0,
      closesAtMs: 1,
      closedAtMs: 1,
      settledAtMs: 2,
    });
  });
  return site;
}

/** The texts of everything public, by its path. */
async function textsOf(site: SiteApp): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of PUBLIC) {
    const answer = await site.ask(path);
    assertEquals(answer.status, 200, path);
    texts.set(path, await answer.text());
  }
  const record = site.records.snapshot.byDay.get(DAY);
  assert(record !== undefined);
  texts.set("picture", ogSvg(record));
  return texts;
}

Deno.test("a person's name gives way to “Former advertiser” on every page, feed, answer and picture, and nothing is answered from before", async () => {
  await using site = await personsDay();
  for (const [path, text] of await textsOf(site)) {
    assertStringIncludes(text, NAME, path);
  }
  const picture = await (await site.ask(`/og/${DAY}.png`)).bytes();
  const { etag } = site.records.snapshot.byDay.get(DAY) ?? {};
  const services = { ...OUTSIDE, ...site.test, log: site.log };
  await eraseBids(
    { ...services, settings: TEST_SETTINGS } as unknown as Services,
    { accountId: ACCOUNT, country: null },
  );
  await site.records.refresh();
  for (const [path, text] of await textsOf(site)) {
    assert(!text.includes(NAME) && !text.includes("Quist"), path);
    assertStringIncludes(text, "Former advertiser", path);
  }
  const after = await (await site.ask(`/og/${DAY}.png`)).bytes();
  assert(!equal(picture, after), "the picture is drawn anew");
  assert(site.records.snapshot.byDay.get(DAY)?.etag !== etag);
});

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length &&
    one.every((byte, at) => byte === other[at]);
}
