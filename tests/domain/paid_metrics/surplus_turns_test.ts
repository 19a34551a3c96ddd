/** Whose turn it is where money that was taken twice can't be given back. */
import { assert, assertEquals } from "@std/assert";
import { beginRefund } from "../../../domain/paid_metrics/refund_payment.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import {
  offer,
  openPaidWorld,
  outcomeOf,
  payAgain,
} from "../../support/paid_world.ts";

const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;

for (
  const [when, isOwnDue, turns] of [
    ["take turns where both are due", true, ["beside", "own", "beside", "own"]],
    ["do not where only the second's is", false, [
      "beside",
      "beside",
      "beside",
    ]],
  ] as const
) {
  Deno.test(`refunds of a report's payment and of a second one that can't be made ${when}`, async () => {
    await using shop = await openPaidWorld();
    const { simulator: { control }, log, clock } = shop.world;
    const { challenge, authorization } = await offer(shop);
    control.addFault({ kind: "reset_after_effect", ...CHARGE });
    await outcomeOf(await shop.ask({ authorization }));
    await shop.sweep({ minutes: 5 });
    const kind = "reset_before_effect";
    const path = "/v1/refunds";
    control.addFault({ kind, method: "POST", path, times: null });
    await syncPayment(
      shop.services,
      await payAgain(shop, challenge["id"] ?? ""),
    );
    const payment = await shop.payment(challenge);
    assert(payment?.state === "succeeded", "paid, and not served");
    if (isOwnDue) {
      await shop.services.store.transact((tx) =>
        beginRefund(tx, payment, clock.now())
      );
    }
    const before = log.events.length;
    await shop.sweep({ minutes: 60 });
    const tried = log.events.slice(before).flatMap((event) =>
      event === "metrics.refund_uncertain"
        ? "own"
        : event === "metrics.surplus_refund_uncertain"
        ? "beside"
        : []
    );
    assertEquals(tried.slice(0, turns.length), [...turns]);
  });
}
