import { assertEquals } from "@std/assert";
import { dayOf } from "../../domain/day.ts";
import { bookEntry } from "../../domain/ledger/book_entry.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { troubledEvent } from "../support/troubled_event.ts";
import { LOOKS, see, signInHere } from "../support/advertiser_browser.ts";

for (const [look, options] of LOOKS) {
  Deno.test(`an operator reads whether the books are right: ${look}`, async () => {
    await using world = await openBrowserWorld();
    const { store } = world.running.service.core.services;
    await store.transact((tx) => {
      tx.reconciliations.save({
        day: dayOf(Date.now() - 86_400_000),
        ranAtMs: Date.now(),
        movements: 12,
        entries: 11,
        invoices: 2,
        differences: [{
          kind: "not_booked",
          movementId: "txn_3PXrBQ126YT3YcwN0000007x",
          paymentId: "pi_3KrBQ126YT3YcwN0000007x",
          amountCents: -12_345,
        }],
        moreDifferences: 3,
      });
      tx.webhookEvents.save(
        troubledEvent("evt_1QXrBQ126YT3YcwN0000007x", Date.now(), {
          type: "payment_intent.amount_capturable_updated",
          objectId: "pi_3KrBQ126YT3YcwN0000007x",
        }),
      );
      bookEntry(tx, {
        id: "settlement:2026-11-19",
        atMs: Date.now() - 1_000,
        kind: "sale",
        paymentId: "pi_1",
        movement: {
          processor_clearing: 12_100,
          spotlight_revenue: -10_000,
          vat_payable: -2_100,
        },
      });
    });
    const { page, complaints } = await world.open(options);
    await page.goto("/operator/money");
    await signInHere(world, page, "operator@example.com");
    await page.waitForURL("**/operator/money");
    await page.getByText("Every day that was compared").click();
    await see(page, `money-${look}`);
    await page.getByRole("button", { name: /^Try .* again$/ }).click();
    await page.getByRole("button", { name: "Process the event again" })
      .click();
    await page.waitForURL("**/operator/money?done=event_*");
    await page.getByRole("status").waitFor();
    await see(page, `money-tried-${look}`);
    assertEquals(complaints, []);
  });
}
