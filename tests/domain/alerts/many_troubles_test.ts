import { assert } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { HOUR_MS } from "../../../domain/day.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { invoiceOf } from "../../support/invoices.ts";

Deno.test("a refund that fails is told however many failed before it and wait for nobody any more", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const saveFailed = (number: string) =>
    services.store.transact(async (tx) => {
      const failed = invoiceOf("acc_1", number, { money: "refund_failed" });
      await tx.invoices.find(failed.id);
      tx.invoices.save(failed);
    });
  const isTold = async (number: string) =>
    await services.store.alerts.find(`refund_failed:${number}`) !== null;
  const look = async () => {
    for (let hour = 0; hour < 3; hour++) {
      clock.advance(HOUR_MS);
      await sendAlerts(services, []);
    }
  };
  for (let nth = 10; nth < 60; nth++) await saveFailed(`SPOT-00${nth}`);
  await look();
  assert(await isTold("SPOT-0059"), "all of before are told of by now");
  await saveFailed("SPOT-0099");
  await look();
  assert(await isTold("SPOT-0099"));
});
