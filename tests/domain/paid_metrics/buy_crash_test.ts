/** A process that dies anywhere on the way from a credential to its answer. */
import { assert, assertEquals } from "@std/assert";
import type { MetricsPayment } from "../../../domain/paid_metrics/metrics_payment.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint } from "../../support/faults.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";
import {
  DAY,
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
} from "../../support/paid_world.ts";

/** What a payer has to get in the end, whatever dies. */
interface Story {
  card: string;
  key?: string;
  /** Happens once the payment has been charged. */
  meanwhile?: (shop: PaidWorld) => Promise<void>;
  /** The answer to whoever comes back. */
  outcome: string;
  charged: number[];
  refunded: number[];
  state: MetricsPayment["state"];
}

const STORIES: Record<string, Story> = {
  "the token pays": {
    card: "pm_card_visa",
    outcome: "200",
    charged: [100],
    refunded: [],
    state: "succeeded",
  },
  "the token pays, with a key": {
    card: "pm_card_de",
    key: "k1",
    outcome: "200",
    charged: [100],
    refunded: [],
    state: "succeeded",
  },
  "the token is declined": {
    card: "pm_card_chargeDeclined",
    outcome: "402 verification-failed",
    charged: [],
    refunded: [],
    state: "refused",
  },
  "the buyer would have to act": {
    card: "pm_card_authenticationRequired",
    outcome: "402 payment-action-required",
    charged: [],
    refunded: [],
    state: "refused",
  },
};

type Doom = (world: PaidWorld["world"]) => {
  services: Services;
  kv: FaultyKv;
};

for (const [name, story] of Object.entries(STORIES)) {
  Deno.test(`a crash before or after any commit ends the same when ${name}`, async () => {
    const points = await everyCrashPoint((point) =>
      live(story, JSON.stringify(point), (world) => {
        const doomed = world.another();
        doomed.kv.crashAt(point);
        return doomed;
      })
    );
    assert(points >= 4, `${points} crash points`);
  });

  Deno.test(`a crash before or after any processor call ends the same when ${name}`, async () => {
    for (let call = 1, died = true; died; call++) {
      for (const when of ["before", "after"] as const) {
        died = await live(story, `call ${call} ${when}`, (world) => {
          const doomed = world.another((real): Processor =>
            crashingProcessor(real, { call, when }, () => doomed.kv.crash())
          );
          return doomed;
        });
      }
    }
  });
}

Deno.test("a crash at any commit of a refund gives the money back once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using shop = await openPaidWorld();
    const { challenge, authorization } = await offer(shop);
    const doomed = shop.world.another((real): Processor => ({
      ...real,
      async chargeSharedToken(input, key) {
        const outcome = await real.chargeSharedToken(input, key);
        await shop.remove(DAY);
        return outcome;
      },
    }));
    doomed.kv.crashAt(point);
    const ask = await shop.asking(doomed.services);
    await (await ask({ authorization })).text();
    await shop.remove(DAY);
    await shop.sweep({ minutes: 90 });
    const answer = await shop.ask({ authorization });
    assertEquals(await outcomeOf(answer), "404 spotlight-not-found");
    const { charged, refunded } = await shop.taken();
    assertEquals(charged, refunded, JSON.stringify(point));
    assert(charged.length <= 1, "charged once");
    const state = (await shop.payment(challenge))?.state;
    const wanted = charged.length === 1 ? "refunded" : state ?? "none";
    assertEquals(state ?? "none", wanted);
    return doomed.kv.dead;
  });
  assert(points >= 6, `${points} crash points`);
});

Deno.test("a crash at any commit of the refund of an answered report gives the money back once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using shop = await openPaidWorld();
    const { challenge, authorization } = await offer(shop);
    assertEquals(await outcomeOf(await shop.ask({ authorization })), "200");
    await shop.remove(DAY);
    const doomed = shop.world.another();
    doomed.kv.crashAt(point);
    const ask = await shop.asking(doomed.services);
    await (await ask({ authorization })).text();
    const answer = await shop.ask({ authorization });
    assertEquals(await outcomeOf(answer), "404 spotlight-not-found");
    await shop.sweep({ minutes: 90 });
    const where = JSON.stringify(point);
    const wanted = { charged: [100], refunded: [100] };
    assertEquals(await shop.taken(), wanted, where);
    assertEquals((await shop.payment(challenge))?.state, "refunded", where);
    assertEquals((await shop.ledger()).length, 2, where);
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} crash points`);
});

Deno.test("a payer whose process died and who never comes back has the money back", async () => {
  await everyCrashPoint(async (point) => {
    await using shop = await openPaidWorld();
    const { authorization } = await offer(shop);
    const doomed = shop.world.another();
    doomed.kv.crashAt(point);
    const ask = await shop.asking(doomed.services);
    const heard = await outcomeOf(await ask({ authorization }));
    await shop.sweep({ minutes: 1_600, everyMinutes: 5 });
    const { charged, refunded } = await shop.taken();
    // Whoever heard the answer has paid for it, if that it left was recorded.
    if (heard !== "200") assertEquals(charged, refunded, JSON.stringify(point));
    const { store, clock } = shop.services;
    const later = clock.now() + 365 * 86_400_000;
    assertEquals(await store.listDue("payments", later, { limit: 9 }), []);
    return doomed.kv.dead;
  });
});

/** Lives until the crash, comes back, and checks how it ended. */
async function live(story: Story, point: string, doom: Doom): Promise<boolean> {
  await using shop = await openPaidWorld();
  const token = await shop.token({ card: story.card });
  const { challenge, authorization } = await offer(shop, { token });
  const asked = { authorization, key: story.key };
  const doomed = doom(shop.world);
  const ask = await shop.asking(doomed.services);
  const heard = await outcomeOf(await ask(asked));
  // Another process, once the dead one's lease has run out. A challenge that
  // was begun with may have expired by then.
  const begun = await shop.payment(challenge) !== null;
  shop.world.clock.advance(begun ? 301_000 : 60_000);
  const again = await outcomeOf(await shop.ask(asked));
  assert(heard === story.outcome || again === story.outcome, point);
  assert([story.outcome, used(story, heard)].includes(again), point);
  const { charged, refunded } = story;
  assertEquals(await shop.taken(), { charged, refunded }, point);
  assertEquals((await shop.payment(challenge))?.state, story.state, point);
  assertEquals((await shop.ledger()).length, charged.length, point);
  return doomed.kv.dead;
}

/** What is told to whoever has been given the answer already. */
function used({ outcome, key }: Story, heard: string): string {
  return heard === "200" && key === undefined
    ? "402 invalid-challenge"
    : outcome;
}
