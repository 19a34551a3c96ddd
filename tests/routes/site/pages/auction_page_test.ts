import { assertEquals, assertStringIncludes } from "@std/assert";
import { runService } from "../../../support/running_service.ts";

Deno.test("GET /how-the-auction-works publishes the rules with the hours that are set", async () => {
  await using running = await runService({
    env: { AUCTION_OPENS_AT: "06:30", AUCTION_CLOSES_AT: "21:05" },
  });
  const { baseUrl } = running.config.settings;
  const answer = await fetch(`${baseUrl}/how-the-auction-works`);
  const page = (await answer.text()).replaceAll(/\s+/g, " ");
  assertEquals(answer.status, 200);
  for (
    const rule of [
      "opens at 06:30 and closes at 21:05, both UTC",
      "who wins 22 November is shown 22 Nov 21:05 – 23 Nov 21:05 UTC",
      "Bids are sealed",
      "pays what it bid, VAT included",
      "the one that reached its amount first wins",
      "from EUR 1 to EUR 1,000,000",
      "raised, by a cent or more, but neither lowered nor withdrawn",
      "The operator of Spotlight never bids",
      "charged its own bid, 5 at most",
      "an advertisement of our own",
    ]
  ) assertStringIncludes(page, rule);
});

Deno.test("every page links to the rules of the auction", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  for (const path of ["/", "/spotlights", "/how-the-auction-works"]) {
    const page = await (await fetch(`${baseUrl}${path}`)).text();
    assertStringIncludes(page, 'href="/how-the-auction-works"');
  }
});
