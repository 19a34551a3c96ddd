import { assertEquals, assertRejects } from "@std/assert";
import { randomIds } from "../../../adapters/crypto/random_ids.ts";
import { endKey } from "../../../domain/operator_keys/end_key.ts";
import { makeKey } from "../../../domain/operator_keys/make_key.ts";
import {
  KEYS_KEPT_MAX,
  KEYS_MAX,
  type OperatorKey,
} from "../../../domain/operator_keys/operator_key.ts";
import { Refused } from "../../../domain/refusal.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";

const WANTED = {
  name: "month's end",
  scope: "read",
  days: 30,
  accountId: "acc_1",
} as const;

/** Makes a key, each a second after the one before. */
async function open() {
  const world = await openAuctionWorld();
  const services = { ...world.services, ids: randomIds };
  const make = async () => {
    world.clock.advance(1_000);
    return (await makeKey(services, WANTED)).made;
  };
  return { world, services, make };
}

Deno.test("makeKey() makes as many keys as may be good at once, and one more when one has ended", async () => {
  const { world, services, make } = await open();
  await using _ = world;
  const made: OperatorKey[] = [];
  while (made.length < KEYS_MAX) made.push(await make());
  await assertRejects(make, Refused, "invalid_input");
  await endKey(services, { keyId: made[3]?.id ?? "" });
  assertEquals((await make()).endedAtMs, null);
});

Deno.test("makeKey() forgets the key that was over first once many are kept, and no good one", async () => {
  const { world, services, make } = await open();
  await using _ = world;
  const { store } = services;
  const first = await makeKey(services, WANTED);
  const over = (nth: number): OperatorKey => ({
    ...first.made,
    id: `opk_${nth}`,
    createdAtMs: nth,
    endedAtMs: nth,
  });
  await store.transact((tx) => {
    for (let nth = 1; nth < KEYS_KEPT_MAX; nth++) {
      tx.operatorKeys.save(over(nth));
    }
  });
  const made = await make();
  const kept = await store.listOperatorKeys({ limit: KEYS_KEPT_MAX + 9 });
  assertEquals(kept.length, KEYS_KEPT_MAX);
  const ids = kept.map(({ id }) => id);
  const ofInterest = [first.made.id, made.id, "opk_1", "opk_2"];
  assertEquals(ofInterest.map((id) => ids.includes(id)), [
    true,
    true,
    false,
    true,
  ]);
});
