/**
 * The port to the processor over a simulator, for the tests of its payments.
 *
 * @module
 */
import { assert } from "@std/assert";
import type Stripe from "stripe";
import type {
  Processor,
  ProcessorPayment,
} from "../../../domain/payments/processor.ts";
import type { Outcome } from "../../../domain/payments/outcome.ts";
import { createStripeClient } from "../../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../../adapters/stripe/stripe_processor.ts";
import {
  type Bench,
  chargeToken,
  grantToken,
  SECRET_KEY,
  withSimulator,
} from "../../simulators/stripe/support.ts";

/** A simulator and the port over it. */
export type Desk = Bench & { processor: Processor };

/** Runs a test against a simulator of its own, through the port. */
export function withProcessor(
  run: (desk: Desk) => Promise<void>,
  options: Parameters<typeof withSimulator>[1] = {},
): Promise<void> {
  return withSimulator(
    (bench) => run(Object.assign(bench, { processor: portOf(bench) })),
    options,
  );
}

/** The port; `timeoutMs` is short where an answer never comes. */
export function portOf({ sim }: Bench, timeoutMs?: number): Processor {
  return createStripeProcessor(createStripeClient({
    secretKey: SECRET_KEY,
    apiBase: sim.url,
    ...(timeoutMs === undefined
      ? {}
      : { timeoutMs, downloadTimeoutMs: timeoutMs }),
  }));
}

/** What a payment is told apart by. */
export const METADATA = { purpose: "metrics", payment_id: "p1" };
export const BY_ID = { name: "payment_id", value: "p1" };

/** Charges EUR 1. */
export function charge(
  { processor }: Pick<Desk, "processor">,
  token: string,
  key = "metrics:p1",
): Promise<Outcome<ProcessorPayment>> {
  return processor.chargeSharedToken(
    { amountCents: 100, token, metadata: METADATA },
    key,
  );
}

/** The value of a yes. */
export function valueOf<T>(outcome: Outcome<T>): T {
  assert(outcome.ok, "the processor has refused");
  return outcome.value;
}

/** A window around now, as a caller gives it. */
export function now({ clock }: Bench): { from: number; until: number } {
  return { from: clock.nowMs - 1_000, until: clock.nowMs + 1_000 };
}

/** What was taken from everyone, in cents. */
export function chargedCents({ sim }: Bench): number {
  return sim.control.state().customers
    .reduce((sum, { charged }) => sum + charged, 0);
}

/** Charges under keys of their own, as fast as the simulator takes them. */
export async function chargeMany(
  stripe: Stripe,
  metadata: readonly Record<string, string>[],
): Promise<void> {
  const { id } = await grantToken(stripe, { maxAmount: 100 * 10_000 });
  for (let at = 0; at < metadata.length; at += 50) {
    const some = metadata.slice(at, at + 50);
    await Promise.all(
      some.map((each) => chargeToken(stripe, id, { metadata: each })),
    );
  }
}
