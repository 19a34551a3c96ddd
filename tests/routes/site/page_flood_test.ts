/** Free accounts that ask for as many pages as they may, while others bid. */
import { assert, assertEquals } from "@std/assert";
import { openAdvertiserSite } from "../../support/advertiser_site.ts";
import { bidder, placed, reviewed } from "../../support/bids_site.ts";

Deno.test("who asks for six hundred pages at once is shown some in turn, and keeps nobody from bidding", async () => {
  await using site = await openAdvertiserSite();
  const ada = await bidder(site);
  const eve = await site.browser("eve", {
    identityStatus: "unverified",
    defaultPaymentMethodId: null,
  });
  const { hidden } = await reviewed(ada.browser, ada.typed());
  const flood = Promise.all(Array.from({ length: 600 }, async () => {
    const answer = await eve.get("/invoices");
    await answer.body?.cancel();
    return answer.status;
  }));
  assertEquals(await placed(ada.browser, hidden), [303, "/bids?done=placed"]);
  const statuses = await flood;
  assertEquals([...new Set(statuses)].toSorted(), [200, 503]);
  const shown = statuses.filter((status) => status === 200).length;
  assert(shown >= 36 && shown < 300, `${shown} pages`);
});
