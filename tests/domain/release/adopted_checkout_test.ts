/**
 * Checkouts that were paid after the backup: the release takes each over into
 * the session it paid for, so that nobody pays for it again.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { JOBS } from "../../../cron/jobs.ts";
import { completeSession } from "../../../domain/checkout/complete_session.ts";
import { readReport } from "../../../domain/checkout/read_report.ts";
import {
  cancelSession,
  updateSession,
} from "../../../domain/checkout/change_session.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import type { Services } from "../../../domain/ports.ts";
import { readReview } from "../../../domain/release/read_review.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import {
  type Buyer,
  CHARGE,
  type CheckoutWorld,
  DAY,
  DAYS,
  openCheckoutWorld,
} from "../../support/checkout_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore, type TestProcess } from "../../support/store.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { create, payment } from "../checkout/requests.ts";

const NOTHING = { acknowledged: [] };

/** A session that is paid once the backup is made. */
interface Story {
  buyer: Buyer;
  sessionId: string;
  backup: Uint8Array<ArrayBuffer>;
}

async function paidAfterBackup(
  checkout: CheckoutWorld,
  cards: readonly string[] = ["pm_card_visa"],
): Promise<Story> {
  const { services, world } = checkout;
  const buyer = await checkout.buyer("ada");
  const sessionId = await create(services, buyer);
  const backup = await backupOf(world);
  for (const [nth, card] of cards.entries()) {
    const token = await checkout.token({ card });
    const asked = payment(buyer, sessionId, token, `first-${nth}`);
    await completeSession(services, asked);
  }
  assertEquals(checkout.paid().length, 1);
  return { buyer, sessionId, backup };
}

/** The restored service, on hold. */
function restored(
  { world, services }: CheckoutWorld,
  into: TestProcess,
): Services {
  return gatedOver({ ...world, services }, into);
}

/** The buyer tries to pay once more, and is told that it is paid. */
async function assertPaidOnce(
  checkout: CheckoutWorld,
  services: Services,
  { buyer, sessionId }: Story,
  what = "",
): Promise<void> {
  assertEquals(await services.store.currentHold(), null, what);
  const token = await checkout.token();
  const asked = payment(
    buyer,
    sessionId,
    token,
    `again-${checkout.world.clock.now()}`,
  );
  const { answer } = await completeSession(services, asked);
  assertEquals(answer.status, 409, what);
  assertEquals(checkout.paid().length, 1, what);
  assertEquals(checkout.refunded(), [], what);
  const session = await services.store.checkoutSessions.find(sessionId);
  assertEquals([session?.status, session?.expiresAtMs], ["completed", null]);
  const figures = await checkout.asking(services)(
    `/checkout_sessions/${sessionId}`,
    { as: buyer },
  );
  const body = await figures.json();
  assertEquals([body.status, typeof body.order?.id], ["completed", "string"]);
  assertEquals(
    await readReview(services, {
      backupAtMs: 0,
      acknowledged: [],
    }),
    [],
    what,
  );
  const entries = await services.store.listLedger({ limit: 9 });
  assertEquals(entries.length, 1, what);
}

Deno.test("a checkout that was paid after the backup is charged once over two restores", async () => {
  await using checkout = await openCheckoutWorld();
  const story = await paidAfterBackup(checkout);
  let { backup } = story;
  for (const when of ["first", "second", "of the release"]) {
    await using into = await openTestStore({ clock: checkout.world.clock });
    await restoreInto(into, backup);
    const services = restored(checkout, into);
    const { items } = await reviewHold(services);
    const isLast = when === "of the release";
    assertEquals(
      items.map(({ kind }) => kind),
      isLast ? [] : ["figures_to_book"],
      when,
    );
    const { left } = await releaseStore(services, NOTHING);
    assertEquals(left, [], when);
    await assertPaidOnce(checkout, services, story, when);
    // The third restore is of a backup that knows the payment.
    const { clock } = checkout.world;
    if (when === "second") backup = await backupOf({ testStore: into, clock });
    clock.advance(60_000);
  }
});

Deno.test("a checkout whose second attempt was paid after the backup is taken over", async () => {
  await using checkout = await openCheckoutWorld();
  await using into = await openTestStore({ clock: checkout.world.clock });
  const cards = ["pm_card_chargeDeclined", "pm_card_visa"];
  const story = await paidAfterBackup(checkout, cards);
  await restoreInto(into, story.backup);
  const services = restored(checkout, into);
  assertEquals((await releaseStore(services, NOTHING)).left, []);
  const session = await services.store.checkoutSessions.find(story.sessionId);
  assertEquals(session?.attempts, 2);
  await assertPaidOnce(checkout, services, story);
});

Deno.test("a crash at any commit of taking a checkout over leaves one charge, booked once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using checkout = await openCheckoutWorld();
    await using into = await openTestStore({ clock: checkout.world.clock });
    const story = await paidAfterBackup(checkout);
    await restoreInto(into, story.backup);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    try {
      await releaseStore(restored(checkout, doomed), NOTHING);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    const services = restored(checkout, into);
    await releaseStore(services, NOTHING);
    await assertPaidOnce(checkout, services, story, JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} crash points`);
});

Deno.test("a payment that the processor tells of is taken over into its session, by several at once only once", async () => {
  await using checkout = await openCheckoutWorld();
  await using into = await openTestStore({ clock: checkout.world.clock });
  const story = await paidAfterBackup(checkout);
  await restoreInto(into, story.backup);
  const services = restored(checkout, into);
  const [charge] = checkout.world.simulator.control.objects("charge");
  const paymentId = String(charge?.payment_intent);
  await Promise.all([1, 2, 3].map(() => syncPayment(services, paymentId)));
  assertEquals((await releaseStore(services, NOTHING)).adopted, []);
  await assertPaidOnce(checkout, services, story);
});

Deno.test("what was paid in a checkout whose agent was revoked in the backup goes back", async () => {
  await using checkout = await openCheckoutWorld();
  await using into = await openTestStore({ clock: checkout.world.clock });
  const story = await paidAfterBackup(checkout);
  await restoreInto(into, story.backup);
  const services = restored(checkout, into);
  await services.store.transact(async (tx) => {
    const grant = await tx.grants.find(story.buyer.grant.id);
    assert(grant !== null);
    tx.grants.save({ ...grant, revokedAtMs: services.clock.now() });
  });
  assertEquals((await releaseStore(services, NOTHING)).left, []);
  assertEquals(checkout.refunded(), []);
  await JOBS.settlePayments.run(services);
  assertEquals(checkout.refunded(), [100]);
});

/** The bank decides: everything that was still processing has succeeded. */
async function banksDecide(
  { world }: CheckoutWorld,
  services: Services,
): Promise<void> {
  const { control } = world.simulator;
  for (const { id, status } of control.objects("payment_intent")) {
    if (status !== "processing") continue;
    control.resolvePayment(id, "succeed");
    await syncPayment(services, id);
  }
  for (let n = 0; n < 3; n++) {
    world.clock.advance(20 * 60_000);
    await JOBS.settlePayments.run(services);
  }
}

/** A payment that the bank has not decided yet. */
async function payInProcess(
  checkout: CheckoutWorld,
  services: Services,
  { buyer, sessionId, key }: Pick<Story, "buyer" | "sessionId"> & {
    key: string;
  },
): Promise<void> {
  const { control } = checkout.world.simulator;
  control.addFault({ kind: "processing", ...CHARGE });
  const asked = payment(buyer, sessionId, await checkout.token(), key);
  await assertRejects(() => completeSession(services, asked));
}

for (const declined of [0, 1]) {
  for (const again of ["paid", "being paid"] as const) {
    Deno.test(`a checkout whose payment no. ${declined + 1} was processing at the release, and which is ${again} again, is paid once`, async () => {
      await using checkout = await openCheckoutWorld();
      await using into = await openTestStore({ clock: checkout.world.clock });
      const buyer = await checkout.buyer("ada");
      const sessionId = await create(checkout.services, buyer);
      const backup = await backupOf(checkout.world);
      for (let nth = 0; nth < declined; nth++) {
        const token = await checkout.token({ card: "pm_card_chargeDeclined" });
        const asked = payment(buyer, sessionId, token, `declined-${nth}`);
        await completeSession(checkout.services, asked);
      }
      const wish = { buyer, sessionId };
      await payInProcess(checkout, checkout.services, { ...wish, key: "lost" });
      await restoreInto(into, backup);
      const services = restored(checkout, into);
      assertEquals((await releaseStore(services, NOTHING)).left, []);
      if (again === "paid") {
        const token = await checkout.token();
        await completeSession(services, payment(buyer, sessionId, token));
      } else await payInProcess(checkout, services, { ...wish, key: "again" });
      await banksDecide(checkout, services);
      assertEquals([checkout.paid().length, checkout.refunded()], [2, [100]]);
      const { store } = services;
      const session = await store.checkoutSessions.find(sessionId);
      assertEquals([session?.status, session?.refundBegunAtMs], [
        "completed",
        null,
      ]);
      assertEquals(
        await readReview(services, {
          backupAtMs: 0,
          acknowledged: [],
        }),
        [],
      );
      const grantId = buyer.grant.id;
      const { report } = await readReport(services, { grantId, sessionId });
      assertEquals(String(report.data.day), DAY);
    });
  }
}

Deno.test("a checkout that was paid after the backup and is cancelled on hold is given back", async () => {
  await using checkout = await openCheckoutWorld();
  await using into = await openTestStore({ clock: checkout.world.clock });
  const { buyer, sessionId, backup } = await paidAfterBackup(checkout);
  await restoreInto(into, backup);
  const services = restored(checkout, into);
  await cancelSession(services, {
    grantId: buyer.grant.id,
    key: "cancel",
    requestHash: requestHash({}),
    sessionId,
  });
  assertEquals((await releaseStore(services, NOTHING)).left, []);
  await JOBS.settlePayments.run(services);
  assertEquals(checkout.refunded(), [100]);
});

Deno.test("a checkout that was changed to another day and paid after the backup gives that day's report", async () => {
  await using checkout = await openCheckoutWorld();
  await using into = await openTestStore({ clock: checkout.world.clock });
  const buyer = await checkout.buyer("ada");
  const sessionId = await create(checkout.services, buyer);
  const backup = await backupOf(checkout.world);
  const [day] = DAYS;
  const grantId = buyer.grant.id;
  await updateSession(checkout.services, {
    grantId,
    key: "update",
    requestHash: requestHash({ day }),
    sessionId,
    day: dayText(day),
  });
  const token = await checkout.token();
  await completeSession(checkout.services, payment(buyer, sessionId, token));
  await restoreInto(into, backup);
  const services = restored(checkout, into);
  assertEquals((await releaseStore(services, NOTHING)).left, []);
  const { report } = await readReport(services, { grantId, sessionId });
  assertEquals(String(report.data.day), day);
});

Deno.test("a checkout that no release took over, and whose refund came back, is taken over all the same and not paid again", async () => {
  await using checkout = await openCheckoutWorld();
  const story = await paidAfterBackup(checkout);
  const { simulator: { control }, stripe } = checkout.world;
  await using into = await openTestStore({ clock: checkout.world.clock });
  await restoreInto(into, story.backup);
  const services = restored(checkout, into);
  await endHold(services);
  const [intent] = control.objects("payment_intent");
  const refund = await stripe.refunds.create({
    payment_intent: intent?.id ?? "",
  });
  control.failRefund(refund.id);
  await syncRefund(services, refund.id);
  const { buyer, sessionId } = story;
  const token = await checkout.token();
  const asked = payment(buyer, sessionId, token, "again");
  const { answer } = await completeSession(services, asked);
  assertEquals(answer.status, 409);
  assertEquals(checkout.paid().length, 1);
  const paid = await services.store.metricsPayments.find(`${sessionId}.1`);
  assertEquals([paid?.state, paid?.returned?.failedRefunds], [
    "succeeded",
    [refund.id],
  ]);
});
