/**
 * What the nightly comparing has to have told of.
 *
 * @module
 */
import { dayOf } from "../../domain/day.ts";
import type { Refund } from "../../simulators/stripe/objects.ts";
import { BY_HAND } from "./elsewhere.ts";
import { ALL, allInvoices, intentsOf } from "./facts.ts";
import type { Life } from "./world.ts";

/**
 * The last comparing of each day found what was given back past us of money
 * that is ours, and nothing else.
 */
export async function reconciled(life: Life): Promise<string[]> {
  const { store, clock } = life.services;
  const intentOf = intentsOf(life);
  const today = dayOf(clock.now());
  const expected = (await refundsPastUs(life))
    .map(({ charge, amount, created }) => ({
      day: dayOf(created * 1_000),
      name: `${intentOf.get(charge)} ${-amount}`,
    }))
    .filter(({ day }) => day < today);
  const broken: string[] = [];
  for (const { day, differences } of await store.listReconciliations(ALL)) {
    for (const difference of differences) {
      const name = difference.kind === "not_booked"
        ? `${difference.paymentId} ${difference.amountCents}`
        : "";
      const at = expected.findIndex((each) =>
        each.day === day && each.name === name
      );
      if (at >= 0) expected.splice(at, 1);
      else {
        broken.push(
          `the books of ${day} differ: ${JSON.stringify(difference)}`,
        );
      }
    }
  }
  const untold = expected.map(({ day, name }) =>
    `nobody was told of the refund ${name} of ${day}`
  );
  return [...broken, ...untold];
}

/** Refunds by hand of money that is ours: told every night, and not mended. */
export async function refundsPastUs(life: Life): Promise<Refund[]> {
  const { store } = life.services;
  const byHand = life.world.simulator.control.objects("refund")
    .filter(({ metadata, status }) =>
      metadata["by"] === BY_HAND.by && status !== "failed"
    );
  const invoices = new Map(
    (await allInvoices(life)).map((each) => [each.paymentId, each]),
  );
  const intentOf = intentsOf(life);
  const past: Refund[] = [];
  for (const refund of byHand) {
    const intent = intentOf.get(refund.charge) ?? "";
    const invoice = invoices.get(intent);
    const isBooked = await store.ledger.find(`refund:${refund.id}`) !== null;
    const isOurs = invoice === undefined
      ? await isSoldReport(life, intent)
      : invoice.money === "sold";
    if (isOurs && !isBooked) past.push(refund);
  }
  return past;
}

async function isSoldReport(life: Life, intent: string): Promise<boolean> {
  const { control } = life.world.simulator;
  const payment = control.objects("payment_intent")
    .find(({ id }) => id === intent);
  const id = payment?.metadata["payment_id"] ?? "";
  const found = await life.services.store.metricsPayments.find(id);
  return found?.state === "succeeded" && found.intentId === intent;
}
