import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Invoice } from "../../../../domain/invoices/invoice.ts";
import { settlement } from "../../../kv/records.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { invoiceOf, saveInvoice } from "../../../support/invoices.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const PATH = "/operator/money/invoices";

/** Days with an invoice each, and a desk. */
async function openInvoices() {
  const site = await openAdvertiserSite();
  const { store } = site.services;
  await store.transact(async (tx) => {
    const calendar = await tx.calendar.find();
    tx.calendar.save(
      { ...calendar, launchDay: dayText("2026-08-01") } as NonNullable<
        typeof calendar
      >,
    );
  });
  const add = async (
    day: string,
    number: string,
    changes: Partial<Invoice>,
  ) => {
    const invoice = invoiceOf("acc_1", number, {
      day: dayText(day),
      id: `in_${number}`,
      ...changes,
    });
    await saveInvoice(site.services, invoice);
    await store.transact((tx) => {
      const candidate = { invoiceId: invoice.id } as never;
      tx.settlements.save({
        ...settlement(dayText(day), "settled"),
        candidates: [candidate],
      });
      return Promise.resolve();
    });
  };
  await add("2026-11-19", "SPOT-9", { state: "paid", money: "refunded" });
  await add("2026-11-18", "SPOT-8", {
    state: "paid",
    money: "sold",
    paymentId: "pi_8",
  });
  await add("2026-11-10", "SPOT-7", { state: "void", money: "none" });
  await add("2026-08-02", "SPOT-1", { state: "paid", money: "sold" });
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }) };
}

function numbersIn(html: string): string[] {
  return [...html.matchAll(/>(SPOT-\d+)</g)].map(([, number]) => number ?? "");
}

Deno.test("the invoices are there for operators only, by day, state and page", async () => {
  const { site, desk } = await openInvoices();
  await using _ = site;
  assertEquals((await (await site.browser("ada")).get(PATH)).status, 404);
  const of = async (query: string) =>
    numbersIn(await (await desk.get(`${PATH}${query}`)).text());
  assertEquals(await of(""), ["SPOT-9", "SPOT-8", "SPOT-7"]);
  assertEquals(await of("?state=paid"), ["SPOT-8"]);
  assertEquals(await of("?state=refunded"), ["SPOT-9"]);
  assertEquals(await of("?state=constructor"), ["SPOT-9", "SPOT-8", "SPOT-7"]);
  const some = "?from=2026-11-10&until=2026-11-18";
  assertEquals(await of(some), ["SPOT-8", "SPOT-7"]);
  const seen: string[] = [];
  let next = PATH;
  for (let page = 0; next !== "" && page < 9; page++) {
    const html = await (await desk.get(next)).text();
    seen.push(...numbersIn(html));
    next = (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "")
      .replaceAll("&amp;", "&");
  }
  assertEquals(seen, ["SPOT-9", "SPOT-8", "SPOT-7", "SPOT-1"]);
});

Deno.test("an invoice leads to its day, account and payment", async () => {
  const { site, desk } = await openInvoices();
  await using _ = site;
  const html = await (await desk.get(`${PATH}?state=paid`)).text();
  for (
    const path of [
      "/operator/days/2026-11-18",
      "/operator/accounts/acc_1",
      "/operator/money/payments/pi_8",
    ]
  ) assertStringIncludes(html, `href="${path}"`);
});

Deno.test("what is no day is said, and any other filter is answered", async () => {
  const { site, desk } = await openInvoices();
  await using _ = site;
  const wrong = await desk.get(`${PATH}?from=yesterday`);
  assertEquals(wrong.status, 400);
  assertStringIncludes(await wrong.text(), "Write a day as YYYY-MM-DD.");
  for (const query of ["from=9999-12-31", "until=0001-01-01"]) {
    const answer = await desk.get(`${PATH}?${query}`);
    assertEquals(answer.status, 200, query);
    assert(numbersIn(await answer.text()).length === 0, query);
  }
  const unknown = await desk.get("/operator/money/payments/pi_none");
  assertEquals(unknown.status, 404);
});
