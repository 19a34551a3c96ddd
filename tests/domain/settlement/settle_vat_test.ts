import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Account } from "../../../domain/accounts/account.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";
import { linesOf } from "../../simulators/stripe/pdf_text.ts";

const day = AUCTION_DAY;
const TOWNS = { LV: "Riga", DE: "Berlin", US: "Boston" } as const;
type Country = keyof typeof TOWNS;

/** Moves an advertiser's company, of which the processor is to be told. */
async function move(
  { services: { store, clock } }: AuctionWorld,
  { account: { id } }: Advertiser,
  country: Country,
  changes: Partial<Account> = {},
): Promise<void> {
  const vatId = { LV: "LV40003000000", DE: "DE123456789", US: null }[country];
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(id);
    assert(account !== null && account.company !== null);
    const { company } = account;
    const address = { ...company.address, city: TOWNS[country] };
    tx.accounts.save({
      ...account,
      company: { ...company, country, vatId, address },
      ...changes,
    });
    await queueCustomer(tx, id, clock.now());
  });
}

/** Settles a day won by a company of that country. */
async function wonBy(
  world: AuctionWorld,
  country: Country,
  amountCents = 12_100,
): Promise<Invoice> {
  const who = await world.advertiser("ada");
  await move(world, who, country);
  await world.bid(who, amountCents);
  await closeDay(world.services);
  await settleDay(world.services, { day });
  return await onlyInvoice(world);
}

async function onlyInvoice({ services }: AuctionWorld): Promise<Invoice> {
  const [invoice, ...others] = await services.store.listInvoices("acc_ada", {
    limit: 10,
  });
  assert(invoice !== undefined && others.length === 0);
  return invoice;
}

async function printed(
  { services }: AuctionWorld,
  { id }: Invoice,
): Promise<string[]> {
  const pdf = await services.processor.downloadInvoicePdf(id, 1_000_000);
  assert(pdf.ok);
  return await linesOf(pdf.value);
}

async function booked({ services }: AuctionWorld): Promise<unknown> {
  const [entry] = await services.store.listLedger({ limit: 10 });
  return Object.fromEntries(
    entry?.lines.map(({ account, amountCents }) => [account, amountCents]) ??
      [],
  );
}

Deno.test("a domestic winner pays the bid with the VAT in it", async () => {
  await using world = await openAuctionWorld();
  const invoice = await wonBy(world, "LV");
  assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 2_100]);
  assertEquals(await booked(world), {
    processor_clearing: 12_100,
    spotlight_revenue: -10_000,
    vat_payable: -2_100,
  });
  const lines = await printed(world, invoice);
  assert(lines.includes("VAT 21% on EUR 100.00 (standard_rated): EUR 21.00"));
  assert(lines.includes("Riga") || lines.some((l) => l.endsWith("Riga")));
});

Deno.test("a winner of another member state owes the VAT itself and pays the bid", async () => {
  await using world = await openAuctionWorld();
  const invoice = await wonBy(world, "DE");
  assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 0]);
  assertEquals(await booked(world), {
    processor_clearing: 12_100,
    spotlight_revenue: -12_100,
  });
  const text = (await printed(world, invoice)).join("\n");
  assert(text.includes("VAT id: DE123456789"));
  assert(
    /Reverse charge . VAT to be accounted for by the recipient/.test(text),
  );
  assert(text.includes("Art. 196 Directive 2006/112/EC"));
});

Deno.test("a winner outside the Union pays the bid, outside the scope of VAT", async () => {
  await using world = await openAuctionWorld();
  const invoice = await wonBy(world, "US");
  assertEquals([invoice.totalCents, invoice.taxCents], [12_100, 0]);
  const text = (await printed(world, invoice)).join("\n");
  assert(text.includes("Outside the scope of EU VAT"));
  assert(!text.includes("Reverse charge"));
});

Deno.test("an invoice names the day, the number, the buyer and the seller", async () => {
  await using world = await openAuctionWorld();
  const invoice = await wonBy(world, "DE");
  const text = (await printed(world, invoice)).join("\n");
  const { name, vatId, email } = world.services.settings.seller;
  for (
    const part of [
      `Spotlight of ${day}`,
      invoice.number,
      "ada GmbH",
      "10115 Berlin",
      name,
      vatId,
      email,
    ]
  ) assert(text.includes(part), part);
});

Deno.test("whoever wins with whatever amount pays exactly the bid", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 99_999_999 }),
      fc.constantFrom<Country>("LV", "DE", "US"),
      async (amountCents, country) => {
        await using world = await openAuctionWorld();
        const invoice = await wonBy(world, country, amountCents);
        assertEquals(invoice.totalCents, amountCents);
        assertEquals((await outcomeOfDay(world)).chargedCents, [amountCents]);
      },
    ),
    { numRuns: 12 },
  );
});

Deno.test("the processor is told of a company that changed before its invoice is made", async () => {
  await using world = await openAuctionWorld();
  const invoice = await wonBy(world, "LV");
  const customer = await world.stripe.customers.retrieve(invoice.customerId);
  assert(!customer.deleted && customer.tax_exempt === "none");
  const task = await world.services.store.customerTasks.find("acc_ada");
  assertEquals(task?.state, "done");
});

Deno.test("no invoice is made while the processor does not know the company as it is", async () => {
  await using world = await openAuctionWorld();
  const [ada, bob] = [
    await world.advertiser("ada"),
    await world.advertiser("bob"),
  ];
  await move(world, ada, "LV");
  await world.bid(ada, 900);
  await world.bid(bob, 800);
  await closeDay(world.services);
  const path = `/v1/customers/${ada.account.processorCustomerId}`;
  world.simulator.control.addFault({
    kind: "error_before_effect",
    path,
    times: null,
  });
  await settleDay(world.services, { day });
  assert(world.log.events.includes("settlement.company_untold"));
  assertEquals(world.simulator.control.objects("invoice").length, 0);
  await settleInTime(world);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals(chargedCents, [800]);
});

Deno.test("a bid is void when who owes the VAT changed before it was charged", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  await world.bid(ada, 900);
  await closeDay(world.services);
  let moved = false;
  const { services } = world.another((real) => ({
    ...real,
    async finalizeInvoice(id, key) {
      if (!moved) await move(world, ada, "LV");
      moved = true;
      return await real.finalizeInvoice(id, key);
    },
  }));
  await settleInTime(world, services);
  const { bids, chargedCents, openInvoices } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "void" });
  assertEquals([chargedCents, openInvoices], [[], 0]);
  assertEquals((await onlyInvoice(world)).state, "void");
});

Deno.test("an invoice whose VAT is not what is due is never made final", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  await move(world, ada, "LV");
  await world.bid(ada, 12_100);
  await closeDay(world.services);
  const { services } = world.another((real) => ({
    ...real,
    // Somebody made the customer exempt by hand.
    async addInvoiceLine(line, key) {
      await world.stripe.customers.update(line.customerId, {
        tax_exempt: "reverse",
      });
      return await real.addInvoiceLine(line, key);
    },
  }));
  await settleDay(services, { day });
  assert(world.log.events.includes("settlement.vat_differs"));
  const settlement = await world.services.store.settlements.find(day);
  assertEquals(settlement?.candidates[0]?.step, "finalizing", "it has an hour");
  await settleInTime(world, services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed" });
  assertEquals(chargedCents, []);
  assertEquals(world.simulator.control.objects("invoice"), []);
});
