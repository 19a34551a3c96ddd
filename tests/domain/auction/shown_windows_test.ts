/** When winners are on show, on days that were closed by the clock or early. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { windowText } from "../../../domain/auction/auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import {
  peekShownWindow,
  readShownWindow,
  readShownWindows,
} from "../../../domain/auction/read_shown_windows.ts";
import { addDays } from "../../../domain/day.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";

const next = addDays(day, 1);

async function closeAt(
  { services, clock }: AuctionWorld,
  which: typeof day,
  time: string,
): Promise<void> {
  await openAuction(services, { day: which });
  clock.set(`${which}T${time}Z`);
  await closeAuction(services, { day: which });
}

Deno.test("readShownWindows() goes by the hours where the clock closed a day, however late the job was", async () => {
  await using world = await openAuctionWorld();
  await closeAt(world, day, "23:58:12.000");
  const shown = await readShownWindow(world.services, day);
  assertEquals(windowText(shown), "20 Nov 23:55 – 21 Nov 23:55 UTC");
});

Deno.test("readShownWindows() knows days that were closed early, which end the day before", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await closeAt(world, day, "12:30:00.000");
  const early = await readShownWindow(services, day);
  assertEquals(windowText(early), "20 Nov 12:30 – 21 Nov 23:55 UTC");
  await closeAt(world, next, "09:00:00.000");
  const shown = await readShownWindows(services, [day, next]);
  assertEquals([...shown.values()].map(windowText), [
    "20 Nov 12:30 – 21 Nov 09:00 UTC",
    "21 Nov 09:00 – 22 Nov 23:55 UTC",
  ]);
  const peeked = await services.store.transact((tx) =>
    peekShownWindow(tx, services.settings, day)
  );
  assertEquals(peeked, shown.get(day));
  assertEquals(await readShownWindow(services, day), shown.get(day));
});

Deno.test("bidders and the winner of a day that was closed early are told when it is really shown, and the next day to bid on", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await world.bid(await world.advertiser("winner"), 900);
  await world.bid(await world.advertiser("loser"), 800);
  await closeAt(world, day, "12:30:00.000");
  await settleInTime(world);
  await notifyBidders(services);
  const mails = await services.store.listMails({ limit: 100 });
  const wordsTo = (kind: string) =>
    wordsOf(mails.find((mail) => mail.kind === kind));
  const window = "20 Nov 12:30 – 21 Nov 23:55 UTC";
  assertStringIncludes(wordsTo("bid_won"), `Shown: ${window}`);
  assertStringIncludes(wordsTo("bid_lost"), `been shown: ${window}`);
  assertStringIncludes(wordsTo("bid_lost"), `auction for ${next} closes`);
  await closeAt(world, next, "09:00:00.000");
  await removeSpotlight(services, { day, reason: "Court order" });
  const after = await services.store.listMails({ limit: 100 });
  const removed = after.find(({ kind }) => kind === "spotlight_removed");
  assertStringIncludes(
    wordsOf(removed),
    "Shown: 20 Nov 12:30 – 21 Nov 09:00 UTC",
  );
  const { data: [invoice] } = await world.stripe.invoices.list({ limit: 1 });
  assertStringIncludes(
    invoice?.lines.data[0]?.description ?? "",
    `shown ${window}`,
  );
});
