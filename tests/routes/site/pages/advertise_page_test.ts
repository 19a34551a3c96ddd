import { assertStringIncludes } from "@std/assert";
import { showEuros } from "../../../../domain/text/euros.ts";
import { MIN_BID_CENTS } from "../../../../domain/limits.ts";
import { sectionOf } from "../../../support/documents.ts";
import { runService } from "../../../support/running_service.ts";

Deno.test("GET /advertise and the documentation that is searched say the same of price and of who may advertise", async () => {
  await using running = await runService();
  const answer = await fetch(`${running.config.settings.baseUrl}/advertise`);
  const page = (await answer.text()).replaceAll(/\s+/g, " ");
  const least = showEuros(MIN_BID_CENTS);
  for (
    const [heading, onPage, inDocument] of [
      ["What it costs to advertise", "What you bid, at least", "what you bid"],
      [
        "What it costs to advertise",
        least,
        `minimum bid is EUR ${MIN_BID_CENTS / 100};`,
      ],
      ["What it costs to advertise", "only if you win", "only if you win"],
      ["When you pay, and if you lose", "charged or held", "no money is held"],
      ["Who may advertise", "valid VAT id", "valid VAT id, one account each"],
      ["Who may advertise", "cannot advertise yet", "can't advertise yet"],
      ["How to start advertising", "a person reviews", "is reviewed"],
    ] as const
  ) {
    assertStringIncludes(page.toLowerCase(), onPage.toLowerCase());
    const section = sectionOf("/developers.md", heading);
    assertStringIncludes(section.replaceAll(/\s+/g, " "), inDocument);
  }
});
