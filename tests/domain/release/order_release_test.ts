/** What the audit keeps of a release, and what one that is refused leaves. */
import { assert, assertEquals } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import { orderRelease } from "../../../domain/release/order_release.ts";
import { itemId } from "../../../domain/release/review.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  gatedOver,
  raiseBid,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const BY = { kind: "key", name: "night shift" } as const;

/** A store that lost a raise which won, and with it whom an operator names. */
async function soldToRaise(
  world: AuctionWorld,
  into: TestStore,
): Promise<{ services: Services; named: string[] }> {
  const raised = await world.advertiser("raised");
  const erased = await world.advertiser("erased");
  await world.bid(raised, 500);
  const backup = await backupOf(world);
  await raiseBid(world.services, raised, 900);
  await sellDay(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  return { services, named: [erased.account.id, "acc_unknown"] };
}

async function linesOf({ store }: Services) {
  const any = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  return await store.listOperatorActs(any, { limit: 9, before: null });
}

Deno.test("a release that is refused erases nobody later, and one that is done has a line of each account it names", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, named } = await soldToRaise(world, into);
  const { store } = services;
  const erased = [...named, ...named];
  const refused = await orderRelease(services, {
    by: BY,
    acknowledged: [],
    erased,
  });
  assert(refused.left.length > 0);
  assertEquals(await store.listErasedAccounts({ limit: 9, after: null }), []);
  const [first = ""] = named;
  assert(await store.accounts.find(first) !== null);
  const before = await linesOf(services);
  assertEquals(before.map(({ act }) => act), ["store.release"]);

  const acknowledged = refused.left.map(itemId);
  const { hold } = await orderRelease(services, {
    by: BY,
    acknowledged,
    erased,
  });
  assert(hold?.releasedAtMs);
  assertEquals(await store.accounts.find(first), null);
  const lines = (await linesOf(services)).filter(({ id }) =>
    !before.some((each) => each.id === id)
  );
  const said = lines.map(({ act, subject }) => `${act} ${subject}`);
  assertEquals(
    said.toSorted(),
    [...named.map((id) => `account.erase_again ${id}`), "store.release null"],
  );
  assert(lines.every(({ by }) => by.kind === "key" && by.name === BY.name));
  const release = lines.find(({ act }) => act === "store.release");
  assertEquals(release?.change?.after, {
    on_hold: false,
    acknowledged: acknowledged.length,
    acknowledged_1: acknowledged.join(", "),
  });
});

Deno.test("the audit names all that a release acknowledged, in as many facts as it takes", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  world.clock.advance(1_000);
  for (let nth = 0; nth < 30; nth++) {
    await world.stripe.paymentIntents.create({
      amount: 100,
      currency: "eur",
      confirm: true,
      payment_method: "pm_card_visa",
      automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      metadata: { purpose: "metrics", payment_id: `lost_${nth}` },
    });
  }
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { left } = await orderRelease(services, {
    by: BY,
    acknowledged: [],
    erased: [],
  });
  assertEquals(left.length, 30);
  world.clock.advance(1_000);
  const acknowledged = left.map(itemId);
  await orderRelease(services, { by: BY, acknowledged, erased: [] });
  const [line] = await linesOf(services);
  const { on_hold, acknowledged: count, ...facts } = line?.change?.after ?? {};
  assertEquals([on_hold, count], [false, 30]);
  const texts = Object.values(facts).map(String);
  assert(texts.length > 1 && texts.every(({ length }) => length <= 500));
  assertEquals(texts.join(", "), acknowledged.join(", "));
});
