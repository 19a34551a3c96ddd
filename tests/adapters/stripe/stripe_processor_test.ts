import { assertEquals, assertRejects } from "@std/assert";
import { ANSWER_MAX_BYTES } from "../../../adapters/stripe/stripe_client.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { OneAnswer } from "./one_answer.ts";

const INVOICE = {
  id: "in_1",
  object: "invoice",
  status: "draft",
  customer: "cus_1",
  metadata: {},
  total: 500,
  total_taxes: null,
  amount_paid: 0,
  number: null,
  created: 1_763_640_000,
  status_transitions: { finalized_at: null },
};

/** Errors as the processor sends them: what each says of the outcome. */
const ERRORS: [
  status: number,
  error: { type: string; code?: string; decline_code?: string },
  code: string | null,
][] = [
  [402, { type: "card_error", code: "card_declined" }, "card_declined"],
  [
    402,
    { type: "card_error", code: "card_declined", decline_code: "lost_card" },
    "lost_card",
  ],
  [
    400,
    { type: "invalid_request_error", code: "amount_too_large" },
    "amount_too_large",
  ],
  [
    404,
    { type: "invalid_request_error", code: "resource_missing" },
    "resource_missing",
  ],
  [409, { type: "invalid_request_error", code: "lock_timeout" }, null],
  [
    409,
    { type: "invalid_request_error", code: "idempotency_key_in_use" },
    null,
  ],
  [409, { type: "idempotency_error" }, null],
  [400, { type: "idempotency_error" }, null],
  [429, { type: "invalid_request_error", code: "rate_limit" }, null],
  [401, { type: "invalid_request_error" }, null],
  [403, { type: "invalid_request_error" }, null],
  [500, { type: "api_error" }, null],
  [503, { type: "api_error" }, null],
];

for (const [status, error, code] of ERRORS) {
  const name = `${status} ${error.decline_code ?? error.code ?? error.type}`;
  const meaning = code === null ? "an open outcome" : "a definite no";

  Deno.test(`payInvoice() takes ${name} for ${meaning}, asked once`, async () => {
    await using server = new OneAnswer(status, {
      error: { ...error, message: "No" },
    });
    const pay = () => server.processor.payInvoice("in_1", "pm_1", "key");
    if (code === null) await assertRejects(pay, ProcessorUncertain);
    else assertEquals(await pay(), { ok: false, code, message: "No" });
    assertEquals(server.asked.length, 1);
  });
}

/** What a gateway, a proxy or another server may say instead. */
const STRANGE: [status: number, body: string][] = [
  [200, "<html>"],
  [200, ""],
  [200, "null"],
  [200, "1"],
  [200, '"Hello"'],
  [200, "[]"],
  [200, "{}"],
  [200, '{"id":"in_1"'],
  [200, '{"object":"invoice","error":{}}'],
  [402, "{}"],
  [404, '{"message":"Not found"}'],
  [500, '{"error":"Internal"}'],
  [502, '{"message":"Bad gateway"}'],
  [503, "[]"],
  [503, '"Busy"'],
];

for (const [status, body] of STRANGE) {
  Deno.test(`voidInvoice() takes ${status} ${body || "without a body"} for an open outcome`, async () => {
    await using server = new OneAnswer(status, body);
    await assertRejects(
      () => server.processor.voidInvoice("in_1", "key"),
      ProcessorUncertain,
    );
    assertEquals(server.asked.length, 1);
  });
}

Deno.test("an invoice is never advanced, never collects strangers' lines, is paid by card alone, and its tax is contained", async () => {
  await using server = new OneAnswer(200, INVOICE);
  const { processor } = server;
  const metadata = { purpose: "spotlight" };
  await processor.createInvoice({ customerId: "cus_1", metadata }, "create");
  await processor.addInvoiceLine({
    customerId: "cus_1",
    invoiceId: "in_1",
    amountCents: 500,
    description: "Spotlight",
  }, "line");
  await processor.finalizeInvoice("in_1", "finalize");
  const [created, line, finalized] = server.asked;
  assertEquals(created, {
    method: "POST",
    path: "/v1/invoices",
    key: "create",
    form: {
      customer: "cus_1",
      currency: "eur",
      collection_method: "charge_automatically",
      auto_advance: "false",
      pending_invoice_items_behavior: "exclude",
      "metadata[purpose]": "spotlight",
      "payment_settings[payment_method_types][0]": "card",
    },
  });
  assertEquals(line?.form, {
    customer: "cus_1",
    invoice: "in_1",
    amount: "500",
    currency: "eur",
    description: "Spotlight",
    tax_behavior: "inclusive",
  });
  assertEquals(finalized?.form["auto_advance"], "false");
});

Deno.test("payInvoice() charges the given card off-session under its key", async () => {
  await using server = new OneAnswer(200, { ...INVOICE, status: "paid" });
  await server.processor.payInvoice("in_1", "pm_1", "settle:pay");
  const [paid] = server.asked;
  assertEquals(paid?.path, "/v1/invoices/in_1/pay");
  assertEquals(paid?.key, "settle:pay");
  assertEquals(paid?.form["payment_method"], "pm_1");
  assertEquals(paid?.form["off_session"], "true");
});

Deno.test("an invoice with more payments than are shown is uncertain, since one of them may have paid", async () => {
  const payments = { object: "list", data: [], has_more: true, url: "" };
  await using server = new OneAnswer(200, { ...INVOICE, payments });
  await assertRejects(
    () => server.processor.retrieveInvoice("in_1"),
    ProcessorUncertain,
    "More payments",
  );
});

Deno.test("an answer that does not end is read up to a bound, and its call is uncertain", async () => {
  const padded = (spaces: number) =>
    new OneAnswer(200, JSON.stringify(INVOICE) + " ".repeat(spaces));
  await using short = padded(1_000);
  assertEquals((await short.processor.retrieveInvoice("in_1")).ok, true);
  await using long = padded(ANSWER_MAX_BYTES);
  await assertRejects(
    () => long.processor.retrieveInvoice("in_1"),
    ProcessorUncertain,
  );
});
