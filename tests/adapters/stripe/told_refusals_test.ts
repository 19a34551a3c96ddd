/** What operators are told of a key that the processor does not take. */
import { assertEquals, assertRejects } from "@std/assert";
import { withToldRefusals } from "../../../adapters/stripe/told_refusals.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { OneAnswer } from "./one_answer.ts";

type Call = (processor: OneAnswer["processor"]) => Promise<unknown>;

const charge: Call = (processor) =>
  processor.payInvoice("in_1", "pm_1", "pay:1");

/** What is logged where a call, of an invoice's charge if left out, is answered so. */
async function loggedOf(
  status: number,
  code?: string,
  call: Call = charge,
): Promise<unknown[]> {
  const logged: unknown[] = [];
  const error = {
    type: "invalid_request_error",
    message: "No: sk_test_********word",
    ...code === undefined ? {} : { code },
  };
  await using one = new OneAnswer(status, { error });
  const processor = withToldRefusals(one.processor, {
    error: (event, fields) => logged.push([event, fields]),
  });
  await assertRejects(() => call(processor), ProcessorUncertain);
  return logged;
}

for (
  const [status, given, code] of [
    [401, undefined, "StripeAuthenticationError"],
    [401, "api_key_expired", "api_key_expired"],
    [403, "more_permissions_required", "more_permissions_required"],
  ] as const
) {
  Deno.test(`a key that is refused with ${status} ${given} stays open and is told to operators`, async () => {
    assertEquals(await loggedOf(status, given), [
      ["processor.refused", { call: "payInvoice", code }],
    ]);
  });
}

Deno.test("a key that may list no customers is told to operators as any other", async () => {
  const code = "more_permissions_required";
  const list: Call = (processor) => processor.listCustomers("acc_1", null, 100);
  assertEquals(await loggedOf(403, code, list), [
    ["processor.refused", { call: "listCustomers", code }],
  ]);
});

for (
  const [status, code] of [
    [500, undefined],
    [429, "rate_limit"],
    [409, "lock_timeout"],
    [403, "account_invalid"],
  ] as const
) {
  Deno.test(`a processor that answers ${status} ${code} says nothing of our key`, async () => {
    assertEquals(await loggedOf(status, code), []);
  });
}

Deno.test("what is answered goes through a processor that tells of refusals as it is", async () => {
  await using one = new OneAnswer(402, {
    error: { type: "card_error", code: "card_declined", message: "No" },
  });
  const processor = withToldRefusals(one.processor, { error: () => {} });
  const paid = await processor.payInvoice("in_1", "pm_1", "pay:1");
  assertEquals(paid, { ok: false, code: "card_declined", message: "No" });
});
