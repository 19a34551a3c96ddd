/** Credit notes that people make at the processor, and those that are missing. */
import { assert, assertEquals } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { adoptRefunds } from "../../../domain/invoices/adopt_refunds.ts";
import {
  refundDueInvoices,
  refundInvoice,
} from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

const ORDER = { day: AUCTION_DAY, note: "goodwill" };
/** Refusals after which one is taken for good, and more hours than that takes. */
const HOURS = 30;

/** Somebody makes a note at the processor, which pays the buyer or says so. */
async function note(
  day: PaidDay,
  amount: number,
  way: "refund_amount" | "out_of_band_amount",
): Promise<string | undefined> {
  const { id: invoice } = await day.invoice();
  const { creditNotes } = day.world.stripe;
  const made = await creditNotes.create({ invoice, amount, [way]: amount });
  return made.refunds[0]?.refund as string | undefined;
}

async function comesBack(
  { world: { simulator, services } }: PaidDay,
  refundId: string | undefined,
): Promise<void> {
  assert(refundId !== undefined);
  simulator.control.failRefund(refundId);
  await syncRefund(services, refundId);
}

/** How it stands: given back and noted at the processor, and told of notes. */
async function standing(day: PaidDay) {
  const { simulator: { control }, log } = day.world;
  const sum = (cents: readonly number[]) =>
    cents.reduce((all, each) => all + each, 0);
  const back = control.objects("refund")
    .filter(({ status }) => status !== "failed")
    .map(({ amount }) => amount);
  const notes = control.objects("credit_note").map(({ total }) => total);
  const { money, refundTrouble } = await day.invoice();
  const told = log.lines.filter((line) => line.includes("note_refused"));
  return {
    money,
    trouble: refundTrouble,
    back: sum(back),
    noted: sum(notes),
    told: told.length,
  };
}

/** The processor makes no notes. */
function refuseNotes({ world: { simulator } }: PaidDay): void {
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/credit_notes",
    method: "POST",
    times: null,
    saved: false,
  });
}

async function retry({ world }: PaidDay): Promise<void> {
  for (let nth = 0; nth < HOURS * 5; nth++) {
    world.clock.advance(3_600_000);
    await refundDueInvoices(world.services);
  }
}

const DONE = {
  money: "refunded" as const,
  trouble: null,
  back: PAID_CENTS,
  noted: PAID_CENTS,
  told: 0,
};

Deno.test("of a noted part that came back the order gives back that part without a note, and the rest with one", async () => {
  await using day = await openPaidDay();
  await comesBack(day, await note(day, 200, "refund_amount"));
  await refundSpotlight(day.world.services, ORDER);
  assertEquals(await standing(day), DONE);
  assertEquals(await day.balance("vat_payable"), 0);
});

Deno.test("an attempt that died between the note of the rest and the part that came back is gone on with", async () => {
  await using day = await openPaidDay();
  await comesBack(day, await note(day, 200, "refund_amount"));
  day.world.simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/refunds",
    method: "POST",
  });
  const { money } = await refundSpotlight(day.world.services, ORDER);
  assertEquals(money, "refunding");
  const { back, noted } = await standing(day);
  assertEquals([back, noted], [PAID_CENTS - 200, PAID_CENTS]);
  await retry(day);
  assertEquals(await standing(day), DONE);
});

Deno.test("what a note says was paid in another way is not paid again once another noted refund came back", async () => {
  for (const rest of [100, PAID_CENTS - 300]) {
    await using day = await openPaidDay();
    await note(day, 300, "out_of_band_amount");
    await comesBack(day, await note(day, rest, "refund_amount"));
    await refundSpotlight(day.world.services, ORDER);
    const { trouble, back } = await standing(day);
    assertEquals([trouble, back], ["credited_by_hand", 0]);
  }
});

Deno.test("what a person gave back of a refund that failed for good gets its credit note", async () => {
  await using day = await openPaidDay();
  const { services, stripe, simulator: { control } } = day.world;
  refuseNotes(day);
  await refundSpotlight(services, ORDER);
  await retry(day);
  control.clearFaults();
  const { id, money, paymentId } = await day.invoice();
  assertEquals(money, "refund_failed");
  await stripe.refunds.create({ payment_intent: paymentId ?? "", amount: 1 });
  await refundInvoice(services, { invoiceId: id });
  assertEquals((await standing(day)).noted, 0, "a person is not done yet");
  await stripe.refunds.create({ payment_intent: paymentId ?? "" });
  await refundInvoice(services, { invoiceId: id });
  assertEquals(await standing(day), DONE);
});

Deno.test("operators are told where notes by hand leave no room for the note of what is back", async () => {
  await using day = await openPaidDay();
  const { services, stripe } = day.world;
  await note(day, 300, "out_of_band_amount");
  const { paymentId } = await day.invoice();
  await stripe.refunds.create({
    payment_intent: paymentId ?? "",
    amount: PAID_CENTS,
  });
  await refundSpotlight(services, ORDER);
  const { money, back, told } = await standing(day);
  assertEquals([money, back, told], ["refunded", PAID_CENTS, 1]);
});

Deno.test("the credit note that is missing once a release or a bank ended the refund is made by the next attempt", async () => {
  for (const ends of ["release", "bank"] as const) {
    await using day = await openPaidDay();
    const { services, stripe, simulator: { control } } = day.world;
    const { id, paymentId } = await day.invoice();
    const amount = ends === "release" ? PAID_CENTS : 300;
    const byHand = () =>
      stripe.refunds.create({ payment_intent: paymentId ?? "", amount });
    if (ends === "release") {
      await byHand();
      await adoptRefunds(services, { invoiceId: id });
    } else {
      await byHand();
      assert(paymentId !== null);
      const rest = { amount: PAID_CENTS - amount };
      const dispute = control.disputes.open(paymentId, rest);
      await syncDispute(services, dispute.id);
      await refundSpotlight(services, ORDER);
      control.disputes.turn(dispute.id, "lost");
      await syncDispute(services, dispute.id);
    }
    assertEquals((await day.invoice()).money, "refunding");
    await refundDueInvoices(services);
    const ended = { ...DONE, back: amount, noted: amount };
    assertEquals(await standing(day), ended, ends);
  }
});

Deno.test("operators are told of a credit note that is missing of what is left to a person", async () => {
  await using day = await openPaidDay();
  const { services, stripe } = day.world;
  const { id, paymentId } = await day.invoice();
  await note(day, 300, "out_of_band_amount");
  await refundSpotlight(services, ORDER);
  await retry(day);
  const { money, trouble } = await standing(day);
  assertEquals([money, trouble], ["refund_failed", "credited_by_hand"]);
  await stripe.refunds.create({ payment_intent: paymentId ?? "" });
  await adoptRefunds(services, { invoiceId: id });
  const { told, ...ended } = await standing(day);
  assertEquals([ended.money, ended.noted, told], ["refunded", 300, 1]);
});
