import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Invoice } from "../../../../domain/invoices/invoice.ts";
import type { Services } from "../../../../domain/ports.ts";
import type { Candidate } from "../../../../domain/settlement/settlement.ts";
import type { InvoiceVat } from "../../../../domain/tax/invoice_vat.ts";
import {
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import {
  archiveAs,
  FINALIZED_MS,
  invoiceOf,
  saveInvoice,
} from "../../../support/invoices.ts";
import { dayText } from "../../../support/public_spotlights.ts";
import { pay } from "../../auth/agent/report_world.ts";

const PDF = "%PDF-1.7 an invoice %%EOF";
const DOMESTIC: InvoiceVat = {
  treatment: "domestic",
  contained: { country: "LV", rate: 2_100 },
};
const REVERSED: InvoiceVat = {
  treatment: "reverse_charge",
  contained: { country: "LV", rate: 0 },
};

/** An invoice of Ada's, and the bid that it is for as settlement left it. */
async function sell(
  services: Services,
  changes: Partial<Invoice>,
  vat: InvoiceVat,
  step: Candidate["step"] = "won",
): Promise<Invoice> {
  const cardId = "pm_1";
  const invoice = invoiceOf("acc_ada", "SPOT-0001", changes);
  await saveInvoice(services, invoice);
  await services.store.transact((tx) => {
    tx.settlements.save({
      day: invoice.day,
      state: "settled",
      candidates: [{
        bidId: invoice.bidId,
        accountId: invoice.accountId,
        amountCents: invoice.totalCents,
        paymentMethodId: cardId,
        step,
        vat,
      } as Candidate],
      createdAtMs: 0,
      dueAtMs: 0,
    } as never);
    tx.paymentMethods.save({
      id: cardId,
      accountId: invoice.accountId,
      fingerprint: null,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2099,
      createdAtMs: 0,
    });
  });
  return invoice;
}

const COMPANY = {
  company: {
    name: "Nordlicht <Räder> GmbH",
    country: "DE",
    vatId: "DE900000080",
    address: {
      line1: "Am Speicher XI 9",
      city: "Bremen",
      postalCode: "28217",
    },
  },
};

async function read(browser: SignedInBrowser, path = "/invoices/SPOT-0001") {
  const answer = await browser.get(path);
  assertEquals(answer.status, 200);
  const html = await answer.text();
  const text = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  return { html, text };
}

Deno.test("/invoices/{number} has what a bookkeeper asks for", async () => {
  await using site = await openAdvertiserSite();
  const { services } = site;
  await sell(services, {}, DOMESTIC);
  await archiveAs(services, "SPOT-0001", PDF);
  const { html, text } = await read(await site.browser("ada", COMPANY));
  const { seller } = services.settings;
  for (
    const said of [
      "Invoice SPOT-0001",
      "Date of issue 20 November 2026",
      "Date of supply 20 Nov 2026, 23:55 – 21 Nov 2026, 23:55 UTC",
      seller.name,
      `VAT id ${seller.vatId}`,
      "Nordlicht &lt;Räder&gt; GmbH Am Speicher XI 9 28217 Bremen , Germany",
      "VAT id DE900000080",
      "100.00 VAT (21%) 21.00 Total 121.00",
      "EUR 121.00 by Visa ending in 4242 on 20 November 2026, 23:56 UTC",
    ]
  ) assertStringIncludes(text, said);
  assertEquals(text.includes("Reverse charge"), false);
  for (
    const path of [
      "/reports/2026-11-20",
      "/bids?through=2026-11-20",
      "/invoices/SPOT-0001/pdf",
      "/invoices",
    ]
  ) assertStringIncludes(html, `href="${path}"`);
});

Deno.test("/invoices/{number} has the words of a reversed charge", async () => {
  await using site = await openAdvertiserSite();
  await sell(site.services, { taxCents: 0 }, REVERSED);
  const browser = await site.browser("ada", COMPANY);
  const { text } = await read(browser);
  assertStringIncludes(text, "121.00 VAT Reverse charge Total 121.00");
  assertStringIncludes(
    text,
    "Reverse charge, Article 196 Council Directive 2006/112/EC",
  );
  const list = await read(browser, "/invoices");
  assertStringIncludes(list.text, "121.00 Reverse charge 121.00 Paid");
});

Deno.test("/invoices/{number} of a cancelled invoice says so across it and offers no PDF", async () => {
  await using site = await openAdvertiserSite();
  const { services } = site;
  await sell(
    services,
    { state: "void", money: "none", paidAtMs: null },
    DOMESTIC,
    "passed_over",
  );
  await archiveAs(services, "SPOT-0001", PDF);
  const browser = await site.browser("ada", COMPANY);
  const { html, text } = await read(browser);
  assertStringIncludes(html, '<article class="invoice cancelled">');
  assertStringIncludes(text, "Cancelled . There is nothing to pay");
  for (const page of [html, (await read(browser, "/invoices")).html]) {
    assertEquals(page.includes("/pdf"), false);
  }
  // Nothing was won, so there is nothing to report.
  assertEquals(html.includes("/reports/2026-11-20"), false);
  assertEquals(text.includes("by Visa"), false);
});

Deno.test("/invoices/{number} shows what was refunded, and what a bank holds or took", async () => {
  await using site = await openAdvertiserSite();
  const { services } = site;
  await sell(services, {
    money: "refunding",
    refunds: [{ id: "re_1", amountCents: 5_000 }],
    disputedCents: 2_000,
    lostCents: 100,
    creditNotes: [{
      id: "cn_1",
      number: "SPOT-0001-CN-01",
      totalCents: 5_000,
      taxCents: 868,
      createdAtMs: FINALIZED_MS + 60_000,
    }],
  }, DOMESTIC);
  const { text } = await read(await site.browser("ada"));
  for (
    const said of [
      "Refund on its way",
      "Refunded EUR 50.00",
      "Held by your bank in a dispute EUR 20.00",
      "Taken back by your bank EUR 1.00",
      "SPOT-0001-CN-01 of 20 November 2026, 23:57 UTC : EUR 50.00 less",
      "As named on the PDF",
    ]
  ) assertStringIncludes(text, said);
});

Deno.test("/invoices/{number} is shown of which no settlement is known", async () => {
  await using site = await openAdvertiserSite();
  await saveInvoice(site.services, invoiceOf("acc_ada", "SPOT-0001"));
  const browser = await site.browser("ada", COMPANY);
  const { text } = await read(browser);
  assertStringIncludes(text, "EUR 121.00 by card on");
  const head = await browser.get("/invoices/SPOT-0001", { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
});

Deno.test("/invoices shows those of a year or a month, in a state, page after page", async () => {
  await using site = await openAdvertiserSite();
  const { services } = site;
  const at = (text: string) => Date.parse(`${text}T23:56:00.000Z`);
  const browser = await site.browser("ada", { createdAtMs: at("2025-11-30") });
  for (
    const [nth, [day = "", state]] of [
      ["2025-12-31", "paid"],
      ["2026-01-01", "void"],
      ["2026-10-31", "paid"],
      ...Array.from({ length: 22 }, () => ["2026-11-02", "paid"]),
      ["2026-11-03", "void"],
    ].entries()
  ) {
    await saveInvoice(
      services,
      invoiceOf("acc_ada", `S-${nth}`, {
        finalizedAtMs: at(day) + nth,
        ...state === "void" &&
          { state: "void", money: "none", paidAtMs: null },
      }),
    );
  }
  const numbers = async (query: string) => {
    const { html } = await read(browser, `/invoices${query}`);
    const found = [...html.matchAll(/"\/invoices\/S-(\d+)"/g)];
    const [, next] = /"(\?[^"]+|\/invoices\?[^"]+)" rel="next"/.exec(html) ??
      [];
    return { all: found.map(([, nth]) => Number(nth)), next, html };
  };
  assertEquals((await numbers("?period=2025")).all, [0]);
  assertEquals((await numbers("?period=2026-10")).all, [2]);
  assertEquals((await numbers("?period=2026&status=void")).all, [25, 1]);
  assertEquals((await numbers("?status=void")).all, [25, 1]);
  assertEquals((await numbers("?period=2026-01&status=paid")).all, []);
  const first = await numbers("?period=2026-11&status=paid");
  assertEquals(first.all, Array.from({ length: 20 }, (_, at) => 24 - at));
  const further = first.next?.replaceAll("&amp;", "&") ?? "";
  const second = await numbers(further.replace("/invoices", ""));
  assertEquals([second.all, second.next], [[4, 3], undefined]);
  assertStringIncludes(
    second.html,
    'href="/invoices?period=2026-11&amp;status=paid">Newest invoices',
  );
  assertStringIncludes(second.html, '<option value="2026-11" selected');
  assertEquals(
    [...first.html.matchAll(/<option value="(\d[^"]+)"/g)].length,
    // Two years with 11 and 2 months.
    2 + 11 + 2,
  );
  for (const query of ["?period=2026-13", "?period=x&status=y", "?status="]) {
    assertEquals((await numbers(query)).all.length, 20);
  }
});

Deno.test("/bids leads from a bid that has won to its report and its invoice", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.world.agent("ada");
  const day = dayText("2026-11-16");
  await pay(site, ada, day);
  await site.services.store.transact((tx) =>
    tx.calendar.save({ launchDay: day, settledThroughDay: day })
  );
  const browser = await site.browser("ada");
  const { html } = await read(browser, `/bids?through=${day}`);
  const invoice = `/invoices/SPOT-${day}`;
  for (const path of [`/reports/${day}`, invoice, `/spotlights/${day}`]) {
    assertStringIncludes(html, `href="${path}"`);
  }
  const page = await read(browser, invoice);
  assertStringIncludes(page.html, `href="/reports/${day}"`);
});
