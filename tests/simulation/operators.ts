/**
 * What operators and the buyers' banks do of their own accord: refunds that take
 * two operators or come back, suspensions, days that are closed early, Spotlights
 * that are removed.
 *
 * @module
 */
import {
  liftSuspension,
  suspendAccount,
} from "../../domain/accounts/suspend_account.ts";
import { addDays, type Day } from "../../domain/day.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { orderRefund } from "../../domain/invoices/order_refund.ts";
import type { Services } from "../../domain/ports.ts";
import { Refused } from "../../domain/refusal.ts";
import { closeEarly as closeEarlyByOrder } from "../../domain/settlement/close_early.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { removeSpotlight } from "../../domain/spotlights/remove_spotlight.ts";
import { isCrash } from "../support/faults.ts";
import { allInvoices } from "./facts.ts";
import { dyingProcess, type Life } from "./world.ts";

/** How the operator decides about accounts. */
const DECIDED = {
  by: { kind: "operator_key" },
  reason: "By the simulation",
  about: null,
} as const;
/** Who orders refunds. */
const OPERATORS = ["ada@spotlight.example", "bob@spotlight.example"] as const;
/** From here on a refund takes both of them, cents. */
const FOUR_EYES_CENTS = 20_000;
/** Tells what an operator gave back at the processor, as a runbook says. */
export const BY_OPERATOR = { by: "operator" };

/** One day of operators and banks. */
export async function operate(life: Life, day: Day): Promise<void> {
  const { random } = life;
  if (random.chance(0.2)) comeBack(life);
  if (random.chance(0.3)) await orderAgain(life);
  if (random.chance(0.1)) await orderSome(life, day);
  if (random.chance(0.15)) await suspendSomebody(life);
  if (random.chance(0.5)) await liftAll(life);
  if (random.chance(0.1)) await closeEarly(life, day);
  if (random.chance(0.1)) await removeSome(life, day);
}

/** A refund comes back from the payer's bank. */
function comeBack({ world, random, count }: Life): void {
  const { control } = world.simulator;
  const disputed = new Set(
    control.objects("dispute").map(({ charge }) => charge),
  );
  const refund = random.any(
    control.objects("refund").filter(({ status, charge }) =>
      status === "succeeded" && !disputed.has(charge)
    ),
  );
  if (refund === undefined) return;
  control.failRefund(refund.id);
  count("refund came back");
}

/** What could not be given back, or came back, is given back as a runbook says. */
export async function orderAgain(life: Life): Promise<void> {
  const { store } = life.services;
  for (const invoice of await allInvoices(life)) {
    if (invoice.money !== "refund_failed") continue;
    life.count("refund failed");
    const settlement = await store.settlements.find(invoice.day);
    const won = settlement?.candidates.find(({ step }) => step === "won");
    if (won?.invoiceId === invoice.id) await order(life, invoice.day);
    else await giveBackThere(life, invoice);
  }
}

/** Of a day that somebody else won nothing can be ordered here. */
async function giveBackThere(
  { world, count }: Life,
  { paymentId }: Invoice,
): Promise<void> {
  if (paymentId === null) return;
  await world.stripe.refunds.create({
    payment_intent: paymentId,
    metadata: BY_OPERATOR,
  }).then(
    () => count("given back there"),
    () => count("not given back there"),
  );
}

async function orderSome(life: Life, today: Day): Promise<void> {
  const back = life.random.chance(0.3) ? 60 : 10;
  await order(life, addDays(today, -life.random.between(0, back)));
}

/** Now one operator, now the other, until both have ordered it or nearly so. */
async function order(life: Life, day: Day): Promise<void> {
  for (let nth = 0; nth < 4; nth++) {
    const services = perhapsDying(life);
    const refundFourEyesCents = FOUR_EYES_CENTS;
    const settings = { ...services.settings, refundFourEyesCents };
    const email = life.random.pick(OPERATORS);
    await tried(life, "refund ordered", async () => {
      await orderRefund({ ...services, settings }, {
        day,
        note: "By the simulation",
        by: { kind: "account", accountId: `acc_${email}`, email },
      });
    });
  }
}

async function suspendSomebody(life: Life): Promise<void> {
  const accountId = life.random.any(life.advertisers)?.account.id;
  if (accountId === undefined) return;
  await tried(life, "suspended", async () => {
    await suspendAccount(life.services, { accountId, ...DECIDED });
  });
}

async function liftAll(life: Life): Promise<void> {
  for (const { account: { id: accountId } } of life.advertisers) {
    const account = await life.services.store.accounts.find(accountId);
    // Who was erased stays as it is.
    if (account === null || account.email === "") continue;
    if (account.suspendedAtMs === null) continue;
    await tried(life, "suspension lifted", async () => {
      await liftSuspension(life.services, { accountId, ...DECIDED });
    });
  }
}

async function closeEarly(life: Life, day: Day): Promise<void> {
  await tried(life, "closed early", async () => {
    await closeEarlyByOrder(perhapsDying(life), { day });
  });
  if (!life.random.chance(0.5)) return;
  await tried(life, "settled early", async () => {
    await settleDay(perhapsDying(life), { day });
  });
}

async function removeSome(life: Life, today: Day): Promise<void> {
  const day = addDays(today, -life.random.between(0, 5));
  await tried(life, "Spotlight removed", async () => {
    const { reason } = DECIDED;
    await removeSpotlight(life.services, { day, reason });
  });
}

function perhapsDying(life: Life): Services {
  return life.random.chance(0.2) ? dyingProcess(life) : life.services;
}

/** Whatever an operator may be refused, or a dying process leaves undone. */
async function tried(
  life: Life,
  what: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
    life.count(what);
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count(`${what}: not now`);
  }
}
