/**
 * The operator of a store on hold: does what each item says, and releases it.
 *
 * @module
 */
import { releaseStore } from "../../domain/release/release_store.ts";
import { itemId, type ReviewItem } from "../../domain/release/review.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { isCrash } from "../support/faults.ts";
import { BY_OPERATOR } from "./operators.ts";
import type { Losses } from "./losses.ts";
import { dyingProcess, type Life } from "./world.ts";

/** Attempts of one sitting, around crashes and answers that are lost. */
const ATTEMPTS_MAX = 10;

/** Releases the store; tells whether that was possible. */
export async function releaseStoreOf(
  life: Life,
  losses: Losses,
): Promise<boolean> {
  const acknowledged = new Set<string>();
  for (let nth = 0; nth < ATTEMPTS_MAX && losses.isOnHold; nth++) {
    const left = await attempt(life, losses, [...acknowledged]);
    losses.isOnHold = left?.length !== 0;
    for (const item of left ?? []) {
      life.count(`left: ${item.kind}`);
      acknowledged.add(itemId(item));
      losses.noted.add(itemId(item));
      await actOn(life, item);
    }
  }
  life.count(losses.isOnHold ? "not released" : "released");
  return !losses.isOnHold;
}

/** What is left, or null where the process died or got no answer. */
async function attempt(
  life: Life,
  { erased }: Losses,
  acknowledged: readonly string[],
): Promise<readonly ReviewItem[] | null> {
  const { random, services } = life;
  const process = random.chance(0.2) ? dyingProcess(life) : services;
  try {
    const release = { acknowledged, erased: [...erased] };
    return (await releaseStore(process, release)).left;
  } catch (error) {
    if (isCrash(error) || error instanceof TemporaryFailure) return null;
    throw error;
  }
}

/** Does at the processor what an item asks for. */
async function actOn(life: Life, item: ReviewItem): Promise<void> {
  switch (item.kind) {
    case "day_sold_to_unknown":
      // Or it is only taken note of, and the buyer had its day.
      return life.random.chance(0.5)
        ? await giveBack(life, item.invoiceId)
        : undefined;
    case "day_sold_twice":
      return await giveBack(life, item.invoiceId);
    case "paid_late":
      return item.isBidKnown ? undefined : await giveBack(life, item.invoiceId);
    case "invoice_open":
      return item.isBidKnown
        ? undefined
        : await voidThere(life, item.invoiceId);
  }
}

/** The processor may refuse it: for a disputed charge, or in an outage. */
async function giveBack(
  { world, count }: Life,
  invoiceId: string,
): Promise<void> {
  const payments = world.simulator.control.objects("invoice_payment")
    .filter(({ invoice }) => invoice === invoiceId);
  for (const { payment: { payment_intent } } of payments) {
    await world.stripe.refunds.create({
      payment_intent,
      metadata: BY_OPERATOR,
    }).then(
      () => count("given back there"),
      () => count("not given back there"),
    );
  }
}

async function voidThere(
  { world, count }: Life,
  invoiceId: string,
): Promise<void> {
  await world.stripe.invoices.voidInvoice(invoiceId).then(
    () => count("void there"),
    () => count("not void there"),
  );
}
