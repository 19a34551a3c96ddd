/** What operators are mailed of the days before their service began. */
import { assertEquals } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { dayText } from "../../support/public_spotlights.ts";

Deno.test("operators of a new service are mailed of no day before it began, and of the day before once it has demo data", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const { store } = services;
  clock.set("2026-11-20T09:00:00.000Z");
  await sendAlerts(services, []);
  const launched = (launchDay: string) =>
    store.transact((tx) => {
      const settledThroughDay = null;
      tx.calendar.save({ launchDay: dayText(launchDay), settledThroughDay });
      return Promise.resolve();
    });
  await launched("2026-11-20");
  await sendAlerts(services, []);
  const ofDay = async () =>
    (await store.listMails({ limit: 500 }))
      .filter(({ subject }) => subject.includes("on 2026-11-19"));
  assertEquals(await ofDay(), []);
  await launched("2026-08-20");
  await sendAlerts(services, []);
  assertEquals((await ofDay()).length, 1);
});
