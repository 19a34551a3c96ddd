import { assert, assertEquals } from "@std/assert";
import { newSession } from "../../../domain/checkout/session.ts";
import { dayOf } from "../../../domain/day.ts";
import { groupsOf } from "../../../domain/groups.ts";
import { writeDocument } from "../../../domain/privacy/export_document.ts";
import type { Services } from "../../../domain/ports.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { exportDocument } from "../../support/data_copies.ts";
import { lostDispute } from "../../support/lost_dispute.ts";

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

Deno.test("a copy has every checkout of an agent, however many were begun, a page of them at a time", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const { store } = services;
  const { account, grant } = await world.agent("ada");
  const merchant = { profileId: "profile_1", environment: "test" as const };
  const made = { grantId: grant.id, day: dayOf(clock.now()), merchant };
  const ids = Array.from(
    { length: 450 },
    (_, nth) => `cs_${String(nth).padStart(32, "0")}`,
  );
  for (const some of groupsOf(ids, 50)) {
    await store.transact((tx) =>
      some.forEach((id) =>
        tx.checkoutSessions.save(newSession({ ...made, id }, clock.now()))
      )
    );
  }
  let rowsAtOnce = 0;
  const counted = watched(store, (rows) => {
    rowsAtOnce = Math.max(rowsAtOnce, rows);
  });
  const exported = { accountId: account.id, email: account.email };
  const texts: string[] = [];
  await writeDocument({ ...services, store: counted }, exported, {
    part: 0,
    add(text) {
      texts.push(text);
      return Promise.resolve();
    },
  });
  const { checkouts } = JSON.parse(texts.join(""));
  assertEquals(checkouts.map(({ id }: { id: string }) => id), ids);
  assert(rowsAtOnce <= 200, `${rowsAtOnce} rows are held at once`);
  const longest = Math.max(...texts.map(({ length }) => length));
  assert(longest < 10_000, `${longest} characters are written at once`);
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

Deno.test("a copy has the account's own disputes", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { store } = services;
  const { account: { id: accountId, email } } = await world.agent("ada");
  const owners = [accountId, "acc_eve", null, accountId];
  await store.transact((tx) =>
    owners.forEach((owner, nth) =>
      tx.disputes.save(lostDispute({ id: `du_${nth}`, accountId: owner }))
    )
  );
  const document = await exportDocument(services, { accountId, email });
  const ids = document.disputes.map(({ id }: { id: string }) => id);
  assertEquals(ids, ["du_0", "du_3"]);
});
