/** Payments whose outcome the processor did not tell at once. */
import { assert, assertEquals } from "@std/assert";
import type { MetricsPayment } from "../../../../domain/paid_metrics/metrics_payment.ts";
import type {
  FaultKind,
  FaultOrder,
} from "../../../../simulators/stripe/mod.ts";
import {
  credential,
  expectOutcome,
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
} from "../../../support/paid_world.ts";

const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;
const LEASE_MS = 46_000;

/** After any of these the same credential goes on and pays once. */
const PASSING: readonly Omit<FaultOrder, "method" | "path">[] = [
  { kind: "error_after_effect" },
  { kind: "error_before_effect", saved: false },
  { kind: "reset_before_effect" },
  { kind: "reset_after_effect" },
  { kind: "timeout_after_effect" },
  { kind: "slow", delay_ms: 60_000 },
  { kind: "rate_limit" },
  { kind: "lock_timeout" },
];

for (const fault of PASSING) {
  Deno.test(`${nameOf(fault)} at the charge is 503, then the same credential pays once`, async () => {
    await using shop = await openPaidWorld();
    shop.world.simulator.control.addFault({ ...fault, ...CHARGE });
    const { authorization } = await offer(shop);
    const first = await shop.ask({ authorization });
    assertEquals(first.headers.get("retry-after"), "2");
    assertEquals(first.headers.get("www-authenticate"), null);
    assertEquals(first.headers.get("cache-control"), "no-store");
    assertEquals(await outcomeOf(first), "503 temporarily-unavailable");
    shop.world.simulator.control.releaseRequests();
    // The challenge expires meanwhile: it guards first use only.
    shop.world.clock.advance(301_000);
    await expectOutcome(shop.ask, { authorization }, "200");
    await expectOutcome(shop.ask, { authorization }, "402 invalid-challenge");
    await takenOnce(shop);
  });
}

const COMMITS = { "of the intention": 1, "of the outcome": 2 };

for (const [which, nth] of Object.entries(COMMITS)) {
  for (const kind of ["fail_before", "fail_after"] as const) {
    Deno.test(`a commit ${which} that is lost (${kind}) is 503, then the same credential pays once`, async () => {
      await using shop = await openPaidWorld();
      const { authorization } = await offer(shop);
      const { kv } = shop.world;
      kv.inject({
        on: "commit",
        nth: kv.commits.length + nth,
        fault: { kind },
      });
      await expectOutcome(
        shop.ask,
        { authorization },
        "503 temporarily-unavailable",
      );
      shop.world.clock.advance(LEASE_MS);
      await expectOutcome(shop.ask, { authorization }, "200");
      await expectOutcome(shop.ask, { authorization }, "402 invalid-challenge");
      await takenOnce(shop);
    });
  }
}

Deno.test("an answer whose leaving could not be recorded is given once more, not a third time", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  const { kv } = shop.world;
  kv.inject({
    on: "commit",
    nth: kv.commits.length + 3,
    fault: { kind: "fail_before" },
  });
  const first = await shop.ask({ authorization });
  const body = await first.text();
  assert(shop.world.log.events.includes("metrics.left_unrecorded"));
  await expectOutcome(
    shop.ask,
    { authorization },
    "503 temporarily-unavailable",
  );
  shop.world.clock.advance(5_000);
  const again = await shop.ask({ authorization });
  assertEquals(await again.text(), body);
  assertEquals(
    again.headers.get("payment-receipt"),
    first.headers.get("payment-receipt"),
  );
  await expectOutcome(shop.ask, { authorization }, "402 invalid-challenge");
  await takenOnce(shop);
});

Deno.test("a payer who hangs up early has been given the answer all the same", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const answer = await shop.ask({ authorization });
  await answer.body?.cancel();
  await until(() => shop.payment(challenge), isHandedOver);
  await expectOutcome(shop.ask, { authorization }, "402 invalid-challenge");
});

Deno.test("503 says what to do, and not to pay again", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "reset_before_effect" });
  const { authorization } = await offer(shop);
  const { detail } = await (await shop.ask({ authorization })).json();
  assertEquals(
    detail,
    "Cannot tell yet whether the payment was made: retry in 2 seconds with " +
      "the same Authorization and Idempotency-Key, start no other payment",
  );
});

Deno.test("a key that came with an uncertain payment is given its answer again", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "reset_after_effect" });
  const { authorization } = await offer(shop);
  const asked = { authorization, key: "k1" };
  await expectOutcome(shop.ask, asked, "503 temporarily-unavailable");
  for (let time = 0; time < 3; time++) {
    await expectOutcome(shop.ask, asked, "200");
  }
  await takenOnce(shop);
});

Deno.test("another token on an uncertain challenge is refused and not charged", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "reset_before_effect" });
  const { challenge, authorization } = await offer(shop);
  await expectOutcome(
    shop.ask,
    { authorization },
    "503 temporarily-unavailable",
  );
  const other = credential(challenge, { spt: await shop.token() });
  await expectOutcome(
    shop.ask,
    { authorization: other },
    "402 invalid-challenge",
  );
  await expectOutcome(shop.ask, { authorization }, "200");
  await takenOnce(shop);
});

Deno.test("a call that the processor still holds is not made a second time", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "hold" });
  const { authorization } = await offer(shop);
  for (let time = 0; time < 3; time++) {
    await expectOutcome(
      shop.ask,
      { authorization },
      "503 temporarily-unavailable",
    );
  }
  const before = shop.world.simulator.control.heldRequests;
  assertEquals(before, 1);
  shop.world.simulator.control.releaseRequests();
  await expectOutcome(shop.ask, { authorization }, "200");
  await takenOnce(shop);
});

Deno.test("a 500 that the processor keeps is over after an hour, without money", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "error_before_effect" });
  const { challenge, authorization } = await offer(shop);
  for (let minute = 0; minute < 59; minute++) {
    await expectOutcome(
      shop.ask,
      { authorization },
      "503 temporarily-unavailable",
    );
    await shop.sweep();
    shop.world.clock.advance(60_000);
  }
  await shop.sweep({ minutes: 20 });
  await expectOutcome(shop.ask, { authorization }, "402 verification-failed");
  assertEquals((await shop.payment(challenge))?.refusal, "not_charged");
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

for (const how of ["succeed", "fail"] as const) {
  Deno.test(`a payment that is processing is 503 until it comes to ${how}`, async () => {
    await using shop = await openPaidWorld();
    fault(shop, { kind: "processing" });
    const { challenge, authorization } = await offer(shop);
    for (let time = 0; time < 3; time++) {
      await expectOutcome(
        shop.ask,
        { authorization },
        "503 temporarily-unavailable",
      );
    }
    const { control } = shop.world.simulator;
    const intentId = (await shop.payment(challenge))?.intentId ?? "";
    control.resolvePayment(intentId, how);
    const outcome = how === "succeed" ? "200" : "402 verification-failed";
    await expectOutcome(shop.ask, { authorization }, outcome);
    assertEquals(control.objects("payment_intent").length, 1);
  });
}

const AT_CANCEL: FaultKind[] = [
  "reset_before_effect",
  "reset_after_effect",
  "error_before_effect",
  "error_after_effect",
];

for (const kind of AT_CANCEL) {
  Deno.test(`${kind} while a payment that waits for its buyer is cancelled is found out`, async () => {
    await using shop = await openPaidWorld();
    const path = "/v1/payment_intents/*/cancel";
    shop.world.simulator.control.addFault({ kind, method: "POST", path });
    const card = "pm_card_authenticationRequired";
    const token = await shop.token({ card });
    const { authorization } = await offer(shop, { token });
    await expectOutcome(
      shop.ask,
      { authorization },
      "503 temporarily-unavailable",
    );
    await expectOutcome(
      shop.ask,
      { authorization },
      "402 payment-action-required",
    );
    assertEquals(await shop.taken(), { charged: [], refunded: [] });
  });
}

Deno.test("while one request is at it others are told to wait, whatever their key", async () => {
  await using shop = await openPaidWorld();
  fault(shop, { kind: "hold" });
  const { authorization } = await offer(shop);
  const first = shop.ask({ authorization });
  await until(
    () => Promise.resolve(shop.world.simulator.control.heldRequests),
    (held) => held === 1,
  );
  for (const key of [undefined, "k1"]) {
    const answer = { authorization, key };
    await expectOutcome(shop.ask, answer, "503 temporarily-unavailable");
  }
  // That is in order, and nothing an operator should hear of.
  assert(!shop.world.log.events.includes("temporary_failure"));
  shop.world.simulator.control.releaseRequests();
  assertEquals(await outcomeOf(await first), "200");
  // The key came while another request was at it, and was given nothing.
  const late = { authorization, key: "k1" };
  await expectOutcome(shop.ask, late, "402 invalid-challenge");
  await takenOnce(shop);
});

Deno.test("a request that slept past its lease leaves the payment to others", async () => {
  await using shop = await openPaidWorld();
  const slow = shop.world.another((real) => ({
    ...real,
    async chargeSharedToken(input, key) {
      const outcome = await real.chargeSharedToken(input, key);
      shop.world.clock.advance(LEASE_MS);
      await expectOutcome(shop.ask, { authorization }, "200");
      return outcome;
    },
  }));
  const { authorization } = await offer(shop);
  const late = await (await shop.asking(slow.services))({ authorization });
  assertEquals(await outcomeOf(late), "402 invalid-challenge");
  await takenOnce(shop);
});

function nameOf({ kind, saved }: Omit<FaultOrder, "method" | "path">): string {
  return saved === false ? `${kind} (not saved)` : kind;
}

function fault(shop: PaidWorld, order: FaultOrder): void {
  shop.world.simulator.control.addFault({ ...order, ...CHARGE });
}

/** One payment at the processor, one sale in the books. */
async function takenOnce(shop: PaidWorld): Promise<void> {
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
  assertEquals((await shop.ledger()).length, 1);
}

function isHandedOver(payment: MetricsPayment | null): boolean {
  return typeof payment?.delivery?.handedOverAtMs === "number";
}

/** Lets other work go on until something is so. */
async function until<T>(
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    if (isSo(await look())) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error("It never came to be so");
}
