/** What the processor says when something was asked too often. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorBusy, ProcessorUncertain } from "../../../domain/failure.ts";
import { OneAnswer } from "./one_answer.ts";

/** A 429, and what charging an invoice says of it. */
async function payAnswered(type: string, code: string) {
  const error = { type, code, message: "Too many requests" };
  await using one = new OneAnswer(429, { error });
  return await one.processor.payInvoice("in_1", "pm_1", "pay:1");
}

Deno.test("a processor whose limit for all our calls is reached is busy, and so nothing was done", async () => {
  await assertRejects(
    () => payAnswered("invalid_request_error", "rate_limit"),
    ProcessorBusy,
  );
});

Deno.test("what is asked too often of one object says nothing of all our calls: whoever it belongs to may have brought it about", async () => {
  for (const code of ["lock_timeout", "payment_intent_rate_limit_exceeded"]) {
    const error = await assertRejects(
      () => payAnswered("invalid_request_error", code),
      ProcessorUncertain,
    );
    assert(!(error instanceof ProcessorBusy), code);
  }
});

Deno.test("a card that was declined too often is refused, whatever the status", async () => {
  const code = "card_decline_rate_limit_exceeded";
  const paid = await payAnswered("card_error", code);
  assertEquals(paid, { ok: false, code, message: "Too many requests" });
});
