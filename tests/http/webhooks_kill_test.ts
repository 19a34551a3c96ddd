import { assert, assertEquals } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { WEBHOOK_LEASE_MS } from "../../domain/webhooks/webhook_event.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { seen } from "../support/captured_logs.ts";
import {
  type ChildService,
  SECRET_KEY,
  type SharedService,
  shareService,
} from "../support/processes.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { eventPayload, signatureOf } from "../support/stripe_event.ts";
import { beginPurchase } from "../support/told_service.ts";
import { until } from "../support/until.ts";

const SECRET = "whsec_simulator";

Deno.test("kill -9 between a stored event and its look loses nothing", async () => {
  await using shared = await shareService();
  const [intent = ""] = await beginPurchases(shared, 1);
  const doomed = await shared.start();
  const { control } = shared.simulator;
  tell(shared, doomed);
  const path = `/v1/payment_intents/${intent}`;
  control.addFault({ kind: "hold", method: "GET", path });
  control.resolvePayment(intent, "succeed");
  await until(() => control.heldRequests > 0);
  await control.webhooks.idle();
  await doomed.kill();
  control.clearFaults();
  control.releaseRequests();
  await shared.withStore(async ({ store, clock }) => {
    const left = await store.listDue(
      "events",
      clock.now() + WEBHOOK_LEASE_MS,
      { limit: 9 },
    );
    assert(left.some(({ objectId }) => objectId === intent), "it is stored");
    const purchase = await store.metricsPayments.find("p0");
    assertEquals(purchase?.state, "charging");
  });
  // The next process comes once the dead one's lease has run out, and is told
  // of nothing.
  control.webhooks.setTarget(null);
  const next = await shared.start({
    jobsEveryMs: 20,
    clockAheadMs: WEBHOOK_LEASE_MS + 1_000,
  });
  await until(() => isSettled(shared, 1));
  await next.stop();
  await assertSettledOnce(shared, 1);
});

Deno.test("two processes that are told the same events, both sweeping, look into each once", async () => {
  await using shared = await shareService();
  const intents = await beginPurchases(shared, 12);
  const both = [
    await shared.start({ jobsEveryMs: 20 }),
    await shared.start({ jobsEveryMs: 20 }),
  ];
  for (const intent of intents) {
    shared.simulator.control.resolvePayment(intent, "succeed");
  }
  const types = ["processing", "requires_action", "succeeded"] as const;
  const events = intents.flatMap((id, nth) =>
    types.map((type) =>
      eventPayload(`payment_intent.${type}`, {
        id: `evt_${nth}_${type}`,
        object: { id, object: "payment_intent" },
      })
    )
  );
  const deliveries = [...both, ...both].flatMap((child) =>
    events.toSorted(() => Math.random() - 0.5).map((event) => ({
      child,
      event,
    }))
  );
  const queue = deliveries.values();
  await Promise.all(Array.from({ length: 12 }, async () => {
    for (const { child, event } of queue) await deliver(child, event);
  }));
  await until(() => isSettled(shared, intents.length));
  await Promise.all(both.map((child) => child.stop()));
  await assertSettledOnce(shared, intents.length);
  await shared.withStore(async ({ store }) => {
    for (const { id } of events) {
      const event = await store.webhookEvents.find(id);
      assertEquals([event?.state, event?.attempts], ["done", 1], id);
    }
  });
});

/** Purchases of yesterday's figures whose payments are processing. */
async function beginPurchases(
  shared: SharedService,
  count: number,
): Promise<string[]> {
  const { simulator } = shared;
  const stripe = createStripeClient({
    secretKey: SECRET_KEY,
    apiBase: simulator.url,
  });
  const day = addDays(dayOf(Date.now()), -1);
  return await shared.withStore(async (services) => {
    await settle(services.store, spotlight(day));
    const intents: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const purchase = { purchaseId: `p${nth}`, stripe, day };
      intents.push(await beginPurchase(services, simulator, purchase));
    }
    return intents;
  });
}

function tell({ simulator }: SharedService, { authUrl }: ChildService): void {
  simulator.control.webhooks.setTarget({
    url: `${authUrl}/webhooks/stripe`,
    secret: SECRET,
  });
}

/** As the processor does: again until it is taken. */
async function deliver(child: ChildService, event: unknown): Promise<void> {
  const body = JSON.stringify(event);
  for (;;) {
    const answer = await seen.fetch(`${child.authUrl}/webhooks/stripe`, {
      method: "POST",
      headers: {
        "stripe-signature": await signatureOf(body, SECRET, Date.now()),
      },
      body,
    });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    assertEquals(answer.status, 503);
  }
}

/** Whether no event waits, and each purchase has come to its end. */
function isSettled(shared: SharedService, purchases: number): Promise<boolean> {
  return shared.withStore(async ({ store }) => {
    const left = await store.listDue("events", Number.MAX_SAFE_INTEGER, {
      limit: 9,
    });
    const ledger = await store.listLedger({ limit: purchases + 1 });
    return left.length === 0 && ledger.length >= purchases;
  });
}

function assertSettledOnce(
  shared: SharedService,
  purchases: number,
): Promise<void> {
  return shared.withStore(async ({ store }) => {
    for (let nth = 0; nth < purchases; nth++) {
      const purchase = await store.metricsPayments.find(`p${nth}`);
      assertEquals(purchase?.state, "succeeded", `p${nth}`);
    }
    const ledger = await store.listLedger({ limit: purchases + 1 });
    assertEquals(ledger.length, purchases);
  });
}
