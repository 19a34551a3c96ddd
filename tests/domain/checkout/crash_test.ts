import { assert, assertEquals } from "@std/assert";
import {
  type CompleteSession,
  completeSession,
} from "../../../domain/checkout/complete_session.ts";
import { METRICS_LEASE_MS } from "../../../domain/paid_metrics/limits.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type CheckoutWorld,
  openCheckoutWorld,
} from "../../support/checkout_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { create, payment } from "./requests.ts";

/** The ways a payment can go whose every step is crashed at. */
const STORIES = {
  "the token pays": { card: "pm_card_visa", status: "completed", answer: 200 },
  "the token is declined": {
    card: "pm_card_chargeDeclined",
    status: "ready_for_payment",
    answer: 200,
  },
  "the buyer would have to act": {
    card: "pm_card_authenticationRequired",
    status: "ready_for_payment",
    answer: 409,
  },
};

/** Who brings a payment to its end after the crash. */
const ENDS: Record<string, (ended: Ended) => Promise<void>> = {
  "the same request again": async (ended) => {
    await completeSession(ended.world.services, ended.request);
  },
  "the sweep": async ({ world }) => {
    await world.sweep();
  },
};

interface Ended {
  world: CheckoutWorld;
  request: CompleteSession;
}

for (const [story, end] of Object.entries(STORIES)) {
  for (const [who, bringToEnd] of Object.entries(ENDS)) {
    Deno.test(`a crash before or after any commit, then ${who}: one outcome, when ${story}`, async () => {
      const points = await everyCrashPoint(async (point) => {
        await using world = await openCheckoutWorld();
        const request = await begin(world, end.card);
        const doomed = world.another();
        doomed.kv.crashAt(point);
        await liveUntilCrash(doomed.services, request);
        await restart({ world, request }, bringToEnd);
        await check({ world, request }, end, JSON.stringify(point));
        return doomed.kv.dead;
      });
      assertEquals(points, 4, "crash points of two commits");
    });

    Deno.test(`a crash before or after any processor call, then ${who}: one outcome, when ${story}`, async () => {
      let calls = 0;
      for (let alive = false; !alive; calls++) {
        for (const when of ["before", "after"] as const) {
          await using world = await openCheckoutWorld();
          const request = await begin(world, end.card);
          const crash = { call: calls + 1, when };
          const doomed = world.another((real) =>
            crashingProcessor(real, crash, () => doomed.kv.crash())
          );
          await liveUntilCrash(doomed.services, request);
          await restart({ world, request }, bringToEnd);
          await check({ world, request }, end, JSON.stringify(crash));
          alive = !doomed.kv.dead;
        }
      }
      assert(calls >= 2, `${calls} calls`);
    });
  }
}

async function begin(
  world: CheckoutWorld,
  card: string,
): Promise<CompleteSession> {
  const ada = await world.buyer("ada");
  const sessionId = await create(world.services, ada);
  return payment(ada, sessionId, await world.token({ card, maxAmount: 900 }));
}

async function liveUntilCrash(
  services: Services,
  request: CompleteSession,
): Promise<void> {
  try {
    await completeSession(services, request);
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

/** Once the dead one's lease has run out. */
async function restart(
  ended: Ended,
  bringToEnd: (ended: Ended) => Promise<void>,
): Promise<void> {
  ended.world.world.clock.advance(METRICS_LEASE_MS);
  await bringToEnd(ended);
}

/**
 * The request again is answered as if nothing had happened, and there is one
 * charge at most. What was begun and never reached the processor is begun anew
 * by the request alone.
 */
async function check(
  { world, request }: Ended,
  { status, answer }: { status: string; answer: number },
  at: string,
): Promise<void> {
  const reply = await completeSession(world.services, request);
  assertEquals(reply.answer.status, answer, at);
  const { store } = world.services;
  const session = await store.checkoutSessions.find(request.sessionId);
  assertEquals([session?.status, session?.payingKey], [status, null], at);
  const isPaid = status === "completed";
  assertEquals(world.paid().length, isPaid ? 1 : 0, at);
  const ledger = await store.listLedger({ limit: 9 });
  assertEquals(ledger.length, isPaid ? 1 : 0, at);
  const intents = world.world.simulator.control.objects("payment_intent");
  assert(intents.every((each) => each.status !== "requires_action"), at);
  const again = await completeSession(world.services, request);
  assertEquals(again, { ...reply, replayed: true }, at);
}
