import fc from "fast-check";
import { openPaidWorld } from "../../support/paid_world.ts";
import { BuyModel, event, PAYERS } from "./buy_model.ts";

Deno.test("whatever happens, a challenge is charged once, and what was charged is answered or given back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { minLength: PAYERS, maxLength: PAYERS }),
      fc.array(event, { minLength: 1, maxLength: 14 }),
      fc.option(fc.nat({ max: PAYERS - 1 })),
      async (cards, events, goneForEver) => {
        await using shop = await openPaidWorld();
        const model = await BuyModel.open(shop, cards);
        for (const each of events) await model.happen(each);
        await model.end(goneForEver);
      },
    ),
    { numRuns: 60 },
  );
});
