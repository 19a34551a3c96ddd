import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { completeSession } from "../../../domain/checkout/complete_session.ts";
import { readReport } from "../../../domain/checkout/read_report.ts";
import {
  cancelSession,
  updateSession,
} from "../../../domain/checkout/change_session.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import { JOBS } from "../../../cron/jobs.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  type Buyer,
  CHARGE,
  type CheckoutWorld,
  DAY,
  DAYS,
  openCheckoutWorld,
} from "../../support/checkout_world.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { create, payment } from "./requests.ts";

const CARDS = [
  "pm_card_visa",
  "pm_card_visa",
  "pm_card_chargeDeclined",
  "pm_card_authenticationRequired",
];

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("complete" as const),
      token: fc.nat(CARDS.length - 1),
      key: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      key: fc.nat(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      key: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("report" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const) }) },
);

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const story = fc.record({
  /** What is done at once, in each of some rounds. */
  rounds: fc.array(fc.array(act, { minLength: 2, maxLength: 7 }), {
    minLength: 1,
    maxLength: 4,
  }),
  revokeIn: fc.option(fc.nat(3), { freq: 2 }),
  faults: fc.array(
    fc.constantFrom(
      "error_after_effect" as const,
      "reset_after_effect" as const,
      "rate_limit" as const,
      "processing" as const,
    ),
    { maxLength: 2 },
  ),
});

Deno.test("whatever is asked of a session at once, by several processes, ends in one charge at most, delivered or given back", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ rounds, revokeIn, faults }) => {
      await using world = await openCheckoutWorld();
      const ada = await world.buyer("ada");
      const id = await create(world.services, ada);
      const tokens = await Promise.all(
        CARDS.map((card) => world.token({ card, maxAmount: 9_000 })),
      );
      const { control } = world.world.simulator;
      for (const kind of faults) {
        control.addFault({ kind, ...CHARGE });
      }
      for (const [nth, round] of rounds.entries()) {
        const { accountId, id: grantId } = ada.grant;
        const revoke = nth === revokeIn
          ? [revokeGrant(world.services, { accountId, grantId })]
          : [];
        const doing = round.map((one) =>
          settle(doOne(world, ada, id, tokens, one))
        );
        await Promise.all([...doing, ...revoke]);
        world.world.clock.advance(50_000);
      }
      await putToRest(world);
      await check(world, id);
    }),
    { numRuns: 80 },
  );
});

/** Lets through what a request may be answered with; a fault is none of it. */
async function settle(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    const isAnswer = error instanceof Refused ||
      error instanceof TemporaryFailure;
    if (!isAnswer) throw error;
  }
}

async function doOne(
  world: CheckoutWorld,
  ada: Buyer,
  id: string,
  tokens: readonly string[],
  one: Act,
): Promise<unknown> {
  const { services } = world.another();
  const grantId = ada.grant.id;
  switch (one.do) {
    case "complete": {
      const token = tokens[one.token] ?? "";
      const request = payment(ada, id, token, `k${one.key}`);
      return await completeSession(services, request);
    }
    case "cancel":
      return await cancelSession(services, keyed(ada, id, one.key));
    case "update": {
      const day = dayText(DAYS[0]);
      return await updateSession(services, { ...keyed(ada, id, one.key), day });
    }
    case "report":
      return await readReport(services, { grantId, sessionId: id });
    case "sweep":
      return await JOBS.settlePayments.run(services);
    case "remove":
      return await remove(services);
  }
}

function keyed({ grant }: Buyer, sessionId: string, key: number) {
  const hash = requestHash({});
  return { grantId: grant.id, key: `k${key}`, requestHash: hash, sessionId };
}

function remove(services: Services): Promise<unknown> {
  return removeSpotlight(services, { day: dayText(DAY), reason: "policy" });
}

/** The bank decides, time passes, the sweep looks until nothing is left. */
async function putToRest(world: CheckoutWorld): Promise<void> {
  const { control } = world.world.simulator;
  control.clearFaults();
  for (const { id, status } of control.objects("payment_intent")) {
    if (status === "processing") control.resolvePayment(id, "succeed");
  }
  for (let n = 0; n < 5; n++) {
    world.world.clock.advance(20 * 60_000);
    await world.sweep();
  }
}

/** The charge, the books and the session agree. */
async function check(world: CheckoutWorld, id: string): Promise<void> {
  const { store } = world.services;
  const session = await store.checkoutSessions.find(id);
  assert(session);
  const { status, refundBegunAtMs } = session;
  assert(status !== "complete_in_progress", "every payment is decided");
  const charges = world.paid().length;
  assertEquals(charges, status === "completed" ? 1 : 0);
  const refunds = world.refunded();
  assertEquals(refunds, refundBegunAtMs === null ? [] : [100]);
  const ledger = await store.listLedger({ limit: 99 });
  assertEquals(ledger.length, charges + refunds.length);
  const grant = await store.grants.find(session.grantId);
  const revokedAtMs = grant?.revokedAtMs ?? Infinity;
  const isKept = charges > refunds.length;
  assert(!isKept || session.updatedAtMs <= revokedAtMs, "kept, undelivered");
}
