import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { FaultOrder } from "../../../simulators/stripe/mod.ts";
import {
  BY_ID,
  charge,
  chargedCents,
  type Desk,
  now,
  portOf,
  valueOf,
  withProcessor,
} from "./desk.ts";
import { grantToken } from "../../simulators/stripe/support.ts";

/** Long enough for an answer, short enough to wait for one that never comes. */
const IMPATIENT_MS = 100;

/** What a fault leaves behind, and what a repeat under the same key brings. */
const FAULTS: [order: FaultOrder, done: boolean, repeat: "value" | "open"][] = [
  [{ kind: "reset_before_effect" }, false, "value"],
  [{ kind: "reset_after_effect" }, true, "value"],
  [{ kind: "timeout_after_effect" }, true, "value"],
  [{ kind: "error_before_effect" }, false, "open"],
  [{ kind: "error_before_effect", saved: false }, false, "value"],
  [{ kind: "error_after_effect" }, true, "open"],
  [{ kind: "lock_timeout" }, false, "value"],
  [{ kind: "rate_limit" }, false, "value"],
];

function nameOf({ kind, saved }: FaultOrder): string {
  return saved === false ? `${kind} (not saved)` : kind;
}

/** The desk with a port that does not wait long, so that time-outs are quick. */
function impatient(desk: Desk): Desk {
  return { ...desk, processor: portOf(desk, IMPATIENT_MS) };
}

/** Makes a call twice under a fault that strikes once. */
async function callTwice<T>(
  desk: Desk,
  order: FaultOrder,
  call: (desk: Desk) => Promise<T>,
): Promise<{ repeat: T | "open" }> {
  desk.sim.control.addFault(order);
  await assertRejects(() => call(impatient(desk)), ProcessorUncertain);
  try {
    return { repeat: await call(desk) };
  } catch (error) {
    assert(error instanceof ProcessorUncertain, String(error));
    return { repeat: "open" };
  }
}

for (const [order, done, repeat] of FAULTS) {
  const fault = {
    method: "POST",
    path: "/v1/payment_intents",
    ...order,
  } as const;

  Deno.test(`chargeSharedToken() is uncertain after ${nameOf(order)}; asked again it charges once at most`, () =>
    withProcessor(async (desk) => {
      const { processor, sim, stripe } = desk;
      const { id } = await grantToken(stripe);
      let afterFault = -1;
      const { repeat: again } = await callTwice(desk, fault, async (given) => {
        if (sim.control.requests().length > 1) afterFault = chargedCents(desk);
        return await charge(given, id);
      });
      assertEquals(afterFault, done ? 100 : 0);
      assertEquals(again === "open" ? "open" : "value", repeat);
      const isCharged = done || repeat === "value";
      assertEquals(chargedCents(desk), isCharged ? 100 : 0);
      const found = valueOf(await processor.findPayment(BY_ID, now(desk)));
      assertEquals(found?.status ?? null, isCharged ? "succeeded" : null);
      if (again !== "open") assertEquals(valueOf(again), found);
    }));

  Deno.test(`refundPayment() is uncertain after ${nameOf(order)}; asked again, under another key if need be, it refunds once`, () =>
    withProcessor(async (desk) => {
      const { processor, sim, stripe } = desk;
      const { id } = await grantToken(stripe);
      const paid = valueOf(await charge(desk, id));
      const { repeat: again } = await callTwice(
        desk,
        { ...fault, path: "/v1/refunds" },
        ({ processor }) => processor.refundPayment(paid.id, "refund:1"),
      );
      assertEquals(again === "open" ? "open" : "value", repeat);
      assertEquals(
        sim.control.objects("refund").length,
        done || repeat === "value" ? 1 : 0,
      );
      assert((await processor.refundPayment(paid.id, "refund:2")).ok);
      const amounts = sim.control.objects("refund").map(({ amount }) => amount);
      assertEquals(amounts, [100]);
    }));

  Deno.test(`cancelPayment() is uncertain after ${nameOf(order)}; a look tells what became of it`, () =>
    withProcessor(async (desk) => {
      const { processor, sim, stripe } = desk;
      sim.control.addFault({ kind: "requires_action" });
      const { id } = await grantToken(stripe);
      const waiting = valueOf(await charge(desk, id));
      const { repeat: again } = await callTwice(
        desk,
        { ...fault, path: "/v1/payment_intents/*/cancel" },
        ({ processor }) => processor.cancelPayment(waiting.id, "cancel:1"),
      );
      assertEquals(again === "open" ? "open" : "value", repeat);
      const { status } = valueOf(await processor.retrievePayment(waiting.id));
      const isGone = done || repeat === "value";
      assertEquals(status, isGone ? "canceled" : "requires_action");
    }));

  Deno.test(`retrievePayment() and findPayment() are uncertain after ${nameOf(order)}, then answer`, () =>
    withProcessor(async (desk) => {
      const { stripe } = desk;
      const { id } = await grantToken(stripe);
      const paid = valueOf(await charge(desk, id));
      const window = now(desk);
      const reading = { ...order, method: "GET" } as const;
      const read = await callTwice(
        desk,
        reading,
        ({ processor }) => processor.retrievePayment(paid.id),
      );
      const found = await callTwice(
        desk,
        reading,
        ({ processor }) => processor.findPayment(BY_ID, window),
      );
      for (const { repeat: answer } of [read, found]) {
        assert(answer !== "open", "reading is never saved under a key");
        assertEquals(valueOf(answer), paid);
      }
    }));
}

Deno.test("chargeSharedToken() is uncertain while its key is in flight, then replays", () =>
  withProcessor(async (desk) => {
    const { sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    sim.control.addFault({ kind: "hold", method: "POST" });
    const first = charge(desk, id);
    while (sim.control.heldRequests === 0) await stripe.events.list();
    await assertRejects(() => charge(desk, id), ProcessorUncertain);
    sim.control.releaseRequests();
    assertEquals(valueOf(await charge(desk, id)), valueOf(await first));
    assertEquals(chargedCents(desk), 100);
  }));

Deno.test("Twenty calls of chargeSharedToken() side by side charge once under one key", () =>
  withProcessor(async (desk) => {
    const { id } = await grantToken(desk.stripe, { maxAmount: 10_000 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => charge(desk, id)),
    );
    const ids = new Set(outcomes.map((outcome) => valueOf(outcome).id));
    assertEquals([ids.size, chargedCents(desk)], [1, 100]);
  }));

Deno.test("Twenty calls of chargeSharedToken() side by side take a token's euro once under twenty keys", () =>
  withProcessor(async (desk) => {
    const { id } = await grantToken(desk.stripe);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => charge(desk, id, `key:${at}`)),
    );
    assertEquals(outcomes.filter(({ ok }) => ok).length, 1);
    assertEquals(chargedCents(desk), 100);
  }));

Deno.test("A decline ordered by control is a definite no with the issuer's code, and its repeat too", () =>
  withProcessor(async (desk) => {
    const { id } = await grantToken(desk.stripe);
    const order = { kind: "decline", decline_code: "stolen_card" } as const;
    desk.sim.control.addFault(order);
    const first = await charge(desk, id);
    assertEquals(first.ok ? null : first.code, "stolen_card");
    assertEquals(await charge(desk, id), first);
    assertEquals(valueOf(await charge(desk, id, "other")).status, "succeeded");
  }));

Deno.test("A charge that got lost before a restart of the processor is there after it", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await withProcessor(async (desk) => {
      const { id } = await grantToken(desk.stripe);
      desk.sim.control.addFault({ kind: "reset_after_effect", method: "POST" });
      await assertRejects(() => charge(desk, id), ProcessorUncertain);
      await desk.restart();
      const after = { ...desk, processor: portOf(desk) };
      const paid = valueOf(await charge(after, id));
      assertEquals([paid.status, chargedCents(desk)], ["succeeded", 100]);
    }, { booksPath: `${dir}/books.ndjson` });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
