import { assert, assertEquals } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { exportDocument } from "../../support/data_copies.ts";

Deno.test("a copy of a full account is written a page of its records at a time", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const { id: accountId, email } = ada.account;
  for (let nth = 0; nth < 120; nth++) {
    await services.store.transact((tx) =>
      tx.creatives.save({
        adId: `ad_${nth}`,
        accountId,
        state: "archived",
        createdAtMs: nth,
        headline: `Headline ${nth}`,
        description: "d".repeat(200),
        targetUrl: "https://x.example/",
      })
    );
  }
  let rowsAtOnce = 0;
  const store = watched(services.store, (rows) => {
    rowsAtOnce = Math.max(rowsAtOnce, rows);
  });
  const exported = { accountId, email };
  const document = await exportDocument({ ...services, store }, exported);
  assertEquals(document.ads.length, 121);
  assert(rowsAtOnce <= 200, `${rowsAtOnce} rows are held at once`);
});

/** Tells how many rows each list of a store gives. */
function watched(
  store: Services["store"],
  tell: (rows: number) => void,
): Services["store"] {
  return new Proxy(store, {
    get(target, name: keyof Services["store"]) {
      const found = target[name];
      if (typeof found !== "function" || !name.startsWith("list")) return found;
      return async (...given: unknown[]) => {
        const read = found as (...of: unknown[]) => Promise<unknown[]>;
        const rows = await read.apply(target, given);
        tell(rows.length);
        return rows;
      };
    },
  });
}
