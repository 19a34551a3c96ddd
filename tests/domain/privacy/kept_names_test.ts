import { assert, assertEquals } from "@std/assert";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { sellDay } from "../../support/restored_world.ts";

/** What a day was won under, what the account is called at its end, what is left. */
const NAMES = [
  ["Quist Lamps GmbH", null, "Quist Lamps GmbH"],
  ["Anna Quist", null, "Former advertiser"],
  // Each Spotlight is asked of the name that it shows.
  ["Anna Quist", "Quist Lamps GmbH", "Former advertiser"],
  ["Quist Lamps GmbH", "Anna Quist", "Quist Lamps GmbH"],
  ["Anna Quist e.K.", null, "Former advertiser"],
  ["Anna Ek", null, "Former advertiser"],
  ["Carla SA", null, "Former advertiser"],
] as const;

Deno.test("a company's name stays on its settled Spotlights, and a person's does not", async () => {
  for (const [shown, later, left] of NAMES) {
    await using world = await openAuctionWorld();
    const { services } = world;
    const { store } = services;
    const ada = await world.advertiser("ada");
    const { id: accountId } = ada.account;
    const call = (name: string) =>
      store.transact(async (tx) => {
        const account = await tx.accounts.find(accountId);
        assert(account !== null && account.company !== null);
        assertEquals(account.company.country, "DE");
        const company = { ...account.company, name };
        tx.accounts.save({ ...account, company });
      });
    await call(shown);
    await world.bid(ada, 5_000);
    await sellDay(world);
    const won = await store.spotlights.find(AUCTION_DAY);
    assert(won !== null);
    await store.transact((tx) =>
      tx.spotlights.save({ ...won, advertiser: shown })
    );
    if (later !== null) await call(later);
    await eraseAccount(services, { accountId, isRepeated: true });
    assertEquals(await store.accounts.find(accountId), null);
    const spotlight = await store.spotlights.find(AUCTION_DAY);
    assertEquals(spotlight?.advertiser, left, `${shown}, ${later}`);
  }
});
