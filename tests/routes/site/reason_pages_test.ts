import { assertEquals } from "@std/assert";
import { pageOf } from "../../../domain/pages.ts";
import { openAdvertiserSite } from "../../support/advertiser_site.ts";

for (
  const reason of [
    "onboarding_incomplete",
    "vat_unverified",
    "identity_unverified",
    "no_payment_method",
    "card_refused",
    "dispute_open",
    "dispute_lost",
  ] as const
) {
  Deno.test(`the page that ${reason} leads to is there, and asks nobody`, async () => {
    await using site = await openAdvertiserSite();
    const browser = await site.browser("ada");
    const answer = await browser.get(pageOf(reason));
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  });
}
