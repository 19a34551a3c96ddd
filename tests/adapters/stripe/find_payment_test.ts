import { assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  BY_ID,
  charge,
  chargeMany,
  now,
  valueOf,
  withProcessor,
} from "./desk.ts";
import { grantToken } from "../../simulators/stripe/support.ts";

/** Payments of others, which lie in front of the one that is looked for. */
function others(count: number): { payment_id: string }[] {
  return Array.from({ length: count }, (_, at) => ({ payment_id: `o${at}` }));
}

Deno.test("findPayment() finds a payment by its metadata and tells its card's country", () =>
  withProcessor(async (desk) => {
    const { id } = await grantToken(desk.stripe, { card: "pm_card_gb" });
    await chargeMany(desk.stripe, others(3));
    const paid = valueOf(await charge(desk, id));
    await chargeMany(desk.stripe, others(3));
    const found = await desk.processor.findPayment(BY_ID, now(desk));
    assertEquals(valueOf(found), paid);
    assertEquals(paid.cardCountry, "GB");
  }));

Deno.test("findPayment() answers null when no payment of the time has the metadata", () =>
  withProcessor(async (desk) => {
    await chargeMany(desk.stripe, others(3));
    const found = await desk.processor.findPayment(BY_ID, now(desk));
    assertEquals(valueOf(found), null);
    const byName = { name: "challenge_id", value: "o1" };
    const byOther = await desk.processor.findPayment(byName, now(desk));
    assertEquals(valueOf(byOther), null);
  }));

Deno.test("findPayment() finds attempts that took no money as well", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    sim.control.addFault({ kind: "decline" });
    const { id } = await grantToken(stripe);
    await charge(desk, id);
    const found = valueOf(await processor.findPayment(BY_ID, now(desk)));
    assertEquals([found?.status, found?.amountReceivedCents], ["refused", 0]);
  }));

Deno.test("findPayment() answers the newest of several", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    sim.control.addFault({ kind: "decline" });
    await charge(desk, id, "first");
    const paid = valueOf(await charge(desk, id, "second"));
    const found = await processor.findPayment(BY_ID, now(desk));
    assertEquals(valueOf(found), paid);
  }));

Deno.test("findPayment() looks from the first moment to the last, both included", () =>
  withProcessor(async (desk) => {
    const { processor, stripe, clock } = desk;
    const { id } = await grantToken(stripe);
    const atMs = clock.nowMs;
    const paid = valueOf(await charge(desk, id));
    clock.advance(3_600_000);
    for (
      const [from, until, isFound] of [
        [atMs, atMs, true],
        [atMs - 5_000, atMs, true],
        [atMs, atMs + 5_000, true],
        // The processor counts in seconds, so a span is widened to whole ones.
        [atMs + 999, atMs + 5_000, true],
        [atMs - 5_000, atMs - 1, true],
        [atMs + 1_000, atMs + 5_000, false],
        [atMs - 5_000, atMs - 1_000, false],
      ] as const
    ) {
      const found = valueOf(
        await processor.findPayment(BY_ID, { from, until }),
      );
      assertEquals(found, isFound ? paid : null, `${from - atMs}`);
    }
  }));

Deno.test("findPayment() reads page after page, up to a thousand payments, and no further", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    await chargeMany(stripe, others(250));
    sim.control.clearRequests();
    const find = () => processor.findPayment(BY_ID, now(desk));
    assertEquals(valueOf(await find()), paid);
    assertEquals(sim.control.requests().length, 3);

    await chargeMany(stripe, others(749));
    assertEquals(valueOf(await find()), paid, "it is the thousandth");
    await chargeMany(stripe, others(1));
    sim.control.clearRequests();
    await assertRejects(find, ProcessorUncertain, "Too many payments");
    assertEquals(sim.control.requests().length, 10);
  }));

Deno.test("findPayment() is certain of a thousand others that none of them is meant", () =>
  withProcessor(async (desk) => {
    const { processor, stripe } = desk;
    await chargeMany(stripe, others(1_000));
    const found = await processor.findPayment(BY_ID, now(desk));
    assertEquals(valueOf(found), null);
  }));
