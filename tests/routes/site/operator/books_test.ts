import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bookEntry } from "../../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../../domain/ledger/entry.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { invoiceOf, saveInvoice } from "../../../support/invoices.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const PATH = "/operator/money/entries";
const DAY = dayText("2026-11-18");

/** A sale with its invoice, and more entries in November. */
async function openBooks(count = 0): Promise<AdvertiserSite> {
  const site = await openAdvertiserSite();
  const { services } = site;
  const invoice = invoiceOf("acc_1", "SPOT-7", { day: DAY, paymentId: "pi_7" });
  await saveInvoice(services, invoice);
  const book = (
    id: string,
    at: string,
    kind: LedgerEntry["kind"],
    cents: number,
  ) =>
    services.store.transact((tx) =>
      bookEntry(tx, {
        id,
        atMs: Date.parse(at),
        kind,
        paymentId: id === "led_sale" ? "pi_7" : `pi_${id}`,
        movement: { processor_clearing: cents, spotlight_revenue: -cents },
      })
    );
  await book("led_before", "2026-10-03T10:00:00.000Z", "sale", 500);
  await book("led_sale", "2026-11-18T23:56:00.000Z", "sale", 12_100);
  await book("led_back", "2026-11-19T09:00:00.000Z", "refund", -100);
  for (let nth = 0; nth < count; nth++) {
    await book(`led_${nth}`, "2026-11-19T10:00:00.000Z", "sale", 1);
  }
  return site;
}

Deno.test("the books of a month are for operators only", async () => {
  await using site = await openBooks();
  for (const path of [PATH, `${PATH}/csv`]) {
    assertEquals((await (await site.browser("ada")).get(path)).status, 404);
    assertEquals((await site.visitor(path)).status, 303);
  }
});

Deno.test("the books of a month link each entry to its day, invoice and payment", async () => {
  await using site = await openBooks();
  const desk = await site.browser("operator");
  const html = await (await desk.get(`${PATH}?month=2026-11`)).text();
  for (
    const text of [
      `href="/operator/days/${DAY}"`,
      "Invoice SPOT-7",
      "<code>pi_7</code>",
      "<code>led_sale</code>",
      "EUR 121.00",
    ]
  ) assertStringIncludes(html, text);
  assert(!html.includes("led_before"), "that is of October");
  const refunds = `${PATH}?month=2026-11&kind=refund`;
  const back = await (await desk.get(refunds)).text();
  assertStringIncludes(back, "led_back");
  assert(!back.includes("led_sale"));
});

Deno.test("the books of a month come in pages", async () => {
  await using site = await openBooks(120);
  const desk = await site.browser("operator");
  const seen = new Set<string>();
  let next = `${PATH}?month=2026-11`;
  let pages = 0;
  for (; next !== "" && pages < 9; pages++) {
    const html = await (await desk.get(next)).text();
    for (const [, id = ""] of html.matchAll(/<code>(led_\w+)<\/code>/g)) {
      assert(!seen.has(id), id);
      seen.add(id);
    }
    next = (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "")
      .replaceAll("&amp;", "&");
  }
  assertEquals([pages, seen.size], [3, 122]);
});

Deno.test("any address of the books is answered", async () => {
  await using site = await openBooks();
  const desk = await site.browser("operator");
  for (
    const query of [
      "month=2026-13",
      "month=2030-01",
      "month=2026",
      "month=1970-01",
      "kind=constructor",
      "page=0",
      "page=99999",
      "page=-1",
    ]
  ) assertEquals((await desk.get(`${PATH}?${query}`)).status, 200, query);
});

Deno.test("the books of a month as CSV lead from the opening to the closing balances and sum to zero", async () => {
  await using site = await openBooks();
  const desk = await site.browser("operator");
  const answer = await desk.get(`${PATH}/csv?month=2026-11`);
  assertEquals(
    answer.headers.get("content-disposition"),
    'attachment; filename="books-2026-11.csv"',
  );
  const [head, ...lines] = (await answer.text()).trimEnd().split("\r\n");
  assertEquals(
    head,
    "at,kind,entry,day,invoice,payment,account,amount,currency",
  );
  const rows = lines.map((line) => line.split(","));
  const cents = (some: string[][]) =>
    some.reduce((sum, row) => sum + Math.round(Number(row[7]) * 100), 0);
  const of = (kind: string) => rows.filter((row) => row[1] === kind);
  const between = rows.filter(([, kind = ""]) =>
    !["opening", "closing"].includes(kind)
  );
  for (const some of [of("opening"), between, of("closing")]) {
    assertEquals(cents(some), 0);
  }
  for (const account of ["processor_clearing", "spotlight_revenue"]) {
    const on = (some: string[][]) =>
      cents(some.filter((row) => row[6] === account));
    assertEquals(
      on(of("opening")) + on(between),
      on(of("closing")),
      account,
    );
  }
  assertStringIncludes(
    lines.join("\n"),
    "2026-11-18T23:56:00.000Z,sale,led_sale,2026-11-18,SPOT-7,pi_7," +
      "processor_clearing,121,EUR",
  );
});
