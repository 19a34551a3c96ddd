import { assert, assertEquals } from "@std/assert";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import {
  type RemoveCard,
  removeCard,
} from "../../../domain/cards/remove_card.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import type { Binding } from "../../../domain/idempotency/replay.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import {
  browserBid,
  type CardsWorld,
  openCardsWorld,
  overtakenBy,
} from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const BINDING: Binding = {
  owner: "gr_1",
  operation: "DELETE /v1/agent/payment_methods/pm_1",
  key: "key-1",
  requestHash: requestHash({}),
};

async function opened() {
  const world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  await world.save(accountId, "mastercard");
  const input: RemoveCard = {
    accountId,
    paymentMethodId: visa.id,
    by: byBrowser(accountId),
    binding: BINDING,
  };
  return { world, accountId, visa, input };
}

async function liveUntilCrash(services: Services, input: RemoveCard) {
  try {
    await removeCard(services, input);
  } catch (thrown) {
    const isExpected = thrown instanceof Refused ||
      thrown instanceof TemporaryFailure || isCrash(thrown);
    if (!isExpected) throw thrown;
  }
}

/** What the job makes of whatever was left behind. */
async function restart({ services, clock }: CardsWorld) {
  clock.advance(61_000);
  await sweepCards(services);
  clock.advance(61_000);
  await sweepCards(services);
}

Deno.test("a crash around any commit of a removal ends removed or as before", async () => {
  const points = await everyCrashPoint(async (point) => {
    const { world, accountId, visa, input } = await opened();
    await using _ = world;
    const doomed = world.isolate();
    doomed.kv.crashAt(point);
    await liveUntilCrash(doomed.services, input);
    await restart(world);
    const cards = await world.cards(accountId);
    const isGone = cards.length === 1;
    const text = `${JSON.stringify(point)}: ${cards}`;
    assertEquals(cards, isGone ? ["4444*"] : ["4444", "4242*"], text);
    assertEquals((await world.attached(accountId)).length, cards.length, text);
    const { store } = world.services;
    const { owner, operation, key } = BINDING;
    const record = await store.idempotency.find(owner, operation, key);
    assertEquals(record !== null, isGone, `${text}: both or neither`);
    const row = await store.paymentMethods.find(accountId, visa.id);
    assertEquals(row?.endingSinceMs, undefined, text);
    return doomed.kv.dead;
  });
  assert(points >= 6, `${points} crash points`);
});

Deno.test("a crash around any commit of a removal never takes the card of a live bid", async () => {
  await everyCrashPoint(async (point) => {
    const { world, accountId, visa, input } = await opened();
    await using _ = world;
    const bid = await browserBid(world, accountId, visa.id);
    const doomed = world.isolate();
    doomed.kv.crashAt(point);
    const racing = overtakenBy(world, bid, doomed.services);
    await liveUntilCrash(racing.services, input);
    await restart(world);
    if (racing.isPlaced()) {
      const cards = await world.cards(accountId);
      assertEquals(cards, ["4444", "4242*"], JSON.stringify(point));
    }
    return doomed.kv.dead;
  });
});

for (const when of ["before", "after"] as const) {
  Deno.test(`a crash ${when} the processor lets go of a card ends detached`, async () => {
    const { world, accountId, input } = await opened();
    await using _ = world;
    const doomed = world.isolate((real) =>
      crashingProcessor(real, { call: 1, when }, () => doomed.kv.crash())
    );
    await liveUntilCrash(doomed.services, input);
    assertEquals(await world.cards(accountId), ["4444*"]);
    await restart(world);
    assertEquals(await world.attached(accountId), ["4444"]);
  });
}

Deno.test("a repeat of a removal gets its answer again, also after a crash", async () => {
  const { world, accountId, input } = await opened();
  await using _ = world;
  const first = await removeCard(world.services, input);
  const again = await removeCard(world.services, input);
  assertEquals(again, { ...first, replayed: true });
  assertEquals(first.replayed, false);
  const other = { ...BINDING, requestHash: requestHash({ other: true }) };
  const call = () => removeCard(world.services, { ...input, binding: other });
  await assertRefused(call, "idempotency_conflict");
  assertEquals(await world.cards(accountId), ["4444*"]);
});

Deno.test("a removal that is refused leaves its key free", async () => {
  const { world, accountId, visa, input } = await opened();
  await using _ = world;
  await placeBid(world.services, await browserBid(world, accountId, visa.id));
  const call = () => removeCard(world.services, input);
  await assertRefused(call, "card_of_live_bid");
  const { owner, operation, key } = BINDING;
  const { store } = world.services;
  assertEquals(await store.idempotency.find(owner, operation, key), null);
});
