import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import fc from "fast-check";
import { VAT_STANDARD_RATES } from "../../../domain/tax/vat.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type {
  ContainedVat,
  CustomerDetails,
  ProcessorInvoice,
} from "../../../domain/payments/processor.ts";
import type { SimulatorOptions } from "../../../simulators/stripe/mod.ts";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import { SCOPE_TEXTS } from "../../../domain/oauth/scope_texts.ts";
import { groupsIn } from "../../../routes/site/connect/scope_groups.ts";
import { type Desk, valueOf, withProcessor } from "./desk.ts";
import { linesOf } from "../../simulators/stripe/pdf_text.ts";

const SELLER: Partial<SimulatorOptions> = {
  seller: {
    name: "Spotlight SIA",
    address: ["Brivibas iela 1", "LV-1010 Riga"],
    country: "LV",
    vatId: "LV40000000000",
    email: "billing@spotlight.example",
  },
};

const LATVIAN: ContainedVat = { country: "LV", rate: 2_100 };
const COMPANY: CustomerDetails = {
  accountId: "acc_1",
  email: "ada@example.com",
  name: "Ada SIA",
  country: "LV",
  line1: "Skolas iela 2",
  city: "Riga",
  postalCode: "LV-1010",
  vatId: "LV40003000000",
  reverseCharge: false,
};
const OUTSIDE = "Outside the scope of EU VAT (Art. 44 Directive 2006/112/EC)";

/** A final invoice as settlement makes it. */
async function invoiceFor(
  { processor }: Pick<Desk, "processor">,
  company: CustomerDetails,
  { amountCents = 12_100, vat, footer }: {
    amountCents?: number;
    vat?: ContainedVat;
    footer?: string;
  },
): Promise<ProcessorInvoice> {
  const key = crypto.randomUUID();
  const customer = await processor.createCustomer(company, `${key}:customer`);
  const customerId = valueOf(customer).id;
  const { id } = valueOf(
    await processor.createInvoice({
      customerId,
      metadata: {},
      ...(footer === undefined ? {} : { footer }),
    }, `${key}:invoice`),
  );
  valueOf(
    await processor.addInvoiceLine({
      customerId,
      invoiceId: id,
      amountCents,
      description: "Spotlight of 2026-11-20",
      ...(vat === undefined ? {} : { vat }),
    }, `${key}:line`),
  );
  return valueOf(await processor.finalizeInvoice(id, `${key}:finalize`));
}

async function printed({ processor }: Desk, id: string): Promise<string[]> {
  const bytes = await processor.downloadInvoicePdf(id, 1_000_000);
  return await linesOf(valueOf(bytes));
}

Deno.test("a domestic invoice contains the rate, and prints all that has to be on it", () =>
  withProcessor(async (desk) => {
    const invoice = await invoiceFor(desk, COMPANY, { vat: LATVIAN });
    assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 2_100]);
    assertEquals(await printed(desk, invoice.id), [
      "Invoice SIM-0001",
      "Date of issue: 2026-11-20",
      "",
      "From: Spotlight SIA",
      "Brivibas iela 1",
      "LV-1010 Riga",
      "LV",
      "VAT id: LV40000000000",
      "billing@spotlight.example",
      "",
      "To: Ada SIA",
      "Skolas iela 2",
      "LV-1010 Riga",
      "LV",
      "ada@example.com",
      "VAT id: LV40003000000",
      "",
      "Spotlight of 2026-11-20: EUR 121.00",
      "",
      "Excluding tax: EUR 100.00",
      "VAT 21% on EUR 100.00 (standard_rated): EUR 21.00",
      "Total: EUR 121.00",
    ]);
  }, SELLER));

Deno.test("an invoice's PDF names its customer's e-mail address, and whoever lets an agent see invoices is told so", () =>
  withProcessor(async (desk) => {
    const invoice = await invoiceFor(desk, COMPANY, { vat: LATVIAN });
    const lines = await printed(desk, invoice.id);
    assert(lines.includes(COMPANY.email));
    const [figures] = groupsIn(SCOPES).filter(({ scopes }) =>
      scopes.includes("invoices:read")
    );
    for (
      const told of [SCOPE_TEXTS["invoices:read"].detail, figures?.detail ?? ""]
    ) assertStringIncludes(told, "e-mail address");
    const privacy = await Deno.readTextFile("docs/privacy.md");
    assertStringIncludes(
      privacy.replaceAll(/\s+/g, " "),
      "The PDFs of your invoices, which Stripe prints, name that address",
    );
  }, SELLER));

Deno.test("a company of another member state owes the VAT itself, says its invoice", () =>
  withProcessor(async (desk) => {
    const company = {
      ...COMPANY,
      country: "DE",
      vatId: "DE123456789",
      reverseCharge: true,
    };
    const invoice = await invoiceFor(desk, company, { vat: LATVIAN });
    assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 0]);
    const lines = await printed(desk, invoice.id);
    assertEquals(lines.slice(-4), [
      "Excluding tax: EUR 121.00",
      "VAT 0% on EUR 121.00 (reverse_charge): EUR 0.00",
      "Total: EUR 121.00",
      "Reverse charge: VAT to be accounted for by the recipient (Art. 196 " +
      "Directive 2006/112/EC)",
    ]);
    assertEquals(
      lines.filter((line) => line.startsWith("VAT id:")),
      ["VAT id: LV40000000000", "VAT id: DE123456789"],
    );
  }, SELLER));

Deno.test("a company outside the Union pays no VAT, and its invoice says why", () =>
  withProcessor(async (desk) => {
    const company = { ...COMPANY, country: "CH", vatId: null };
    const footer = `${OUTSIDE}\nSpotlight SIA`;
    const invoice = await invoiceFor(desk, company, { footer });
    assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 0]);
    const lines = await printed(desk, invoice.id);
    assertEquals(lines.slice(-5), [
      "Excluding tax: EUR 121.00",
      "Total: EUR 121.00",
      "",
      OUTSIDE,
      "Spotlight SIA",
    ]);
  }, SELLER));

Deno.test("what was bid is what is paid, whatever the rate and whoever owes it", () =>
  withProcessor((desk) =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 99_999_999 }),
        fc.constantFrom(...Object.entries(VAT_STANDARD_RATES)),
        fc.boolean(),
        async (amountCents, [country, rate], reverseCharge) => {
          const invoice = await invoiceFor(
            desk,
            { ...COMPANY, reverseCharge },
            { amountCents, vat: { country, rate } },
          );
          assertEquals(invoice.totalCents, amountCents);
          const net = Math.round(amountCents * 10_000 / (10_000 + rate));
          const tax = reverseCharge ? 0 : amountCents - net;
          assertEquals(invoice.taxCents, tax);
        },
      ),
      { numRuns: 25 },
    )
  ));

Deno.test("a rate is made once at the processor and then found", () =>
  withProcessor(async (desk) => {
    await invoiceFor(desk, COMPANY, { vat: LATVIAN });
    await invoiceFor(desk, COMPANY, { vat: LATVIAN });
    await invoiceFor(desk, COMPANY, { vat: { country: "FI", rate: 2_550 } });
    const rates = desk.sim.control.objects("tax_rate").map((rate) =>
      [rate.country, rate.percentage, rate.inclusive, rate.tax_type] as const
    );
    assertEquals(rates, [["LV", 21, true, "vat"], ["FI", 25.5, true, "vat"]]);
  }));

Deno.test("a line whose rate could not be asked for is uncertain, and added once when repeated", () =>
  withProcessor(async (desk) => {
    const { processor, stripe, sim } = desk;
    const { id: customerId } = await stripe.customers.create();
    const { id: invoiceId } = valueOf(
      await processor.createInvoice({ customerId, metadata: {} }, "create"),
    );
    const add = () =>
      processor.addInvoiceLine({
        customerId,
        invoiceId,
        amountCents: 500,
        description: "Spotlight",
        vat: LATVIAN,
      }, "line");
    for (const path of ["/v1/tax_rates", "/v1/invoiceitems"]) {
      sim.control.addFault({ kind: "reset_after_effect", path });
      await assertRejects(add, ProcessorUncertain);
    }
    valueOf(await add());
    const invoice = valueOf(await processor.retrieveInvoice(invoiceId));
    assertEquals(invoice.totalCents, 500);
    assertEquals(sim.control.objects("tax_rate").length, 1);
  }));
