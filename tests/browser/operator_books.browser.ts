import { assertEquals } from "@std/assert";
import { actAs } from "../../domain/audit/act_as.ts";
import { bookEntry } from "../../domain/ledger/book_entry.ts";
import { LOOKS, see, signInHere } from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

for (const [look, options] of LOOKS) {
  Deno.test(`an operator makes a key, and reads the audit and the books: ${look}`, async () => {
    await using world = await openBrowserWorld();
    const { services } = world.running.service.core;
    await actAs(services, {
      by: { kind: "key", name: "night shift" },
      act: "account.suspend",
      subject: "acc_7q2m4k8x3n5p7r9t2v4w",
      reason: "Readers complained about " + "a".repeat(60),
    }, ({ store }) =>
      store.transact((tx) => {
        tx.noteChange({
          before: { suspended: false },
          after: { suspended: true },
        });
        bookEntry(tx, {
          id: "settlement:2026-11-19",
          atMs: Date.now(),
          kind: "sale",
          paymentId: "pi_3KrBQ126YT3YcwN0000007x",
          movement: {
            processor_clearing: 12_100,
            spotlight_revenue: -10_000,
            vat_payable: -2_100,
          },
        });
      }));
    const { page, complaints } = await world.open(options);
    await page.goto("/operator/keys");
    await signInHere(world, page, "operator@example.com");
    await page.waitForURL("**/operator/keys");
    await see(page, `keys-empty-${look}`);
    await page.getByLabel("Name").fill("night shift");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("shown once").waitFor();
    await see(page, `keys-made-${look}`);
    await page.getByRole("link", { name: "All keys" }).click();
    await see(page, `keys-${look}`);
    await page.getByRole("button", { name: /^End it/ }).click();
    await see(page, `keys-end-${look}`);
    await page.goto("/operator/audit");
    await see(page, `audit-${look}`);
    await page.goto("/operator/money/entries");
    await see(page, `books-${look}`);
    assertEquals(complaints, []);
  });
}
