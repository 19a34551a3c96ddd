import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import type { Services } from "../../domain/ports.ts";
import { withStore } from "../../domain/with_store.ts";
import { ownModules, ROOT } from "../../tools/own_modules.ts";
import { openBiddingWorld } from "../support/bidding_world.ts";

type Transact = Services["store"]["transact"];

Deno.test("withStore() changes what it is given, leaves all else as it is, and the services it was given too", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { transact } = services.store;
  const ran: string[] = [];
  const noting = (name: string, over: Services): Transact => (verb) => {
    ran.push(name);
    return over.store.transact(verb);
  };
  const one = withStore(services, { transact: noting("one", services) });
  const two = withStore(one, { transact: noting("two", one) });
  assertEquals(await two.store.transact(() => Promise.resolve(7)), 7);
  assertEquals(ran, ["two", "one"]);
  assertStrictEquals(services.store.transact, transact);
  const { store, ...others } = two;
  const { store: before, ...othersBefore } = services;
  assertEquals(others, othersBefore);
  const names = Object.keys(before) as (keyof Services["store"])[];
  const changed = names.filter((name) => store[name] !== before[name]);
  assertEquals(changed, ["transact"]);
  assert(store.isEmbedded === before.isEmbedded);
});

const SPREADS = /\.\.\.(\w+\.)*store\b/;

Deno.test("nothing of the service spreads a store, since one may inherit what it does", async () => {
  const service = (await ownModules())
    .filter((path) => /^(adapters|app|cron|domain|kv|routes)\//.test(path));
  const spreading: string[] = [];
  for (const path of service) {
    const text = await Deno.readTextFile(ROOT + path);
    if (SPREADS.test(text)) spreading.push(path);
  }
  assertEquals(spreading, []);
  assert(SPREADS.test("{ ...services.store, transact }"));
});
