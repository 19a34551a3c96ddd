import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { PDFDocument } from "pdf-lib";
import { toWinAnsi } from "../../../simulators/stripe/win_ansi.ts";
import { draftOver, openOver, payer, withSimulator } from "./support.ts";

async function download(url: string | null | undefined): Promise<Uint8Array> {
  const response = await fetch(url ?? "");
  assertEquals(response.headers.get("content-type"), "application/pdf");
  return await response.bytes();
}

Deno.test("invoice_pdf is a PDF with the number as its title", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const open = await openOver(stripe, customer, 12_345);
    const document = await PDFDocument.load(await download(open.invoice_pdf));
    assertEquals(document.getTitle(), "Invoice SIM-0001");
    assertEquals(document.getPageCount(), 1);
  }));

Deno.test("invoice_pdf gives the same bytes each time, before and after payment", () =>
  withSimulator(async ({ clock, stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 12_345);
    const first = await download(open.invoice_pdf);
    clock.advance(60_000);
    const paid = await stripe.invoices.pay(open.id, { payment_method: card });
    assertEquals(await download(paid.invoice_pdf), first);
    const other = await openOver(stripe, customer, 12_345);
    assertNotEquals(await download(other.invoice_pdf), first);
  }));

Deno.test("invoice_pdf survives names in any script and of any length", () =>
  withSimulator(async ({ stripe }) => {
    for (
      const name of [
        "Łódź Sp. z o.o.",
        "Ελλάδα Α.Ε.",
        "Български ООД",
        "株式会社",
        "Zürich „Straße“ €",
        "👩‍🚀 Rockets\u0000\u202e\n",
        "x".repeat(500),
      ]
    ) {
      const { id } = await stripe.customers.create({
        name,
        address: { line1: name, city: "Kraków", country: "PL" },
      });
      const open = await openOver(stripe, id, 500);
      const bytes = await download(open.invoice_pdf);
      assertEquals((await PDFDocument.load(bytes)).getPageCount(), 1, name);
    }
  }));

Deno.test("invoice_pdf is a 404 without its secret, and for a draft", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const open = await openOver(stripe, customer, 500);
    for (
      const url of [
        `${sim.url}/invoice/${draft.id}/x/pdf`,
        `${sim.url}/invoice/${open.id}/x/pdf`,
        `${sim.url}/invoice/${open.id}/pdf`,
        `${sim.url}/invoice/`,
        `${open.invoice_pdf}/`,
      ]
    ) {
      const response = await fetch(url);
      await response.body?.cancel();
      assertEquals(response.status, 404, url);
    }
  }));

Deno.test("invoice_pdf grows by the padding that is asked for, and stays a PDF", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    sim.control.invoicePaddingBytes = 900_000;
    const bytes = await download(open.invoice_pdf);
    assert(bytes.length > 900_000);
    assertEquals(await download(open.invoice_pdf), bytes);
    assertEquals((await PDFDocument.load(bytes)).getPageCount(), 1);
  }));

Deno.test("A download fails as its faults say", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const url = open.invoice_pdf ?? "";
    sim.control.addFault({ kind: "error_before_effect", path: "/invoice/**" });
    const failed = await fetch(url);
    await failed.body?.cancel();
    assertEquals(failed.status, 500);

    sim.control.addFault({ kind: "reset_before_effect", path: "/invoice/**" });
    await assertRejects(async () => (await fetch(url)).bytes(), TypeError);
    assert((await download(url)).length > 500);
  }));

Deno.test("toWinAnsi() keeps what the fonts have and transcribes the rest", () => {
  assertEquals(toWinAnsi("Zürich „Straße“ 5 €"), "Zürich „Straße“ 5 €");
  assertEquals(toWinAnsi("Łódź"), "Lódz");
  assertEquals(toWinAnsi("Ďábel Čeněk"), "Dábel Cenek");
  assertEquals(toWinAnsi("Αθήνα"), "Athina");
  assertEquals(toWinAnsi("Жюль"), "Zhyul");
  assertEquals(toWinAnsi("漢字"), "??");
  assertEquals(toWinAnsi("a\u0000b\u202ec\nd"), "abc d");
});

Deno.test("toWinAnsi() leaves nothing a standard font can not print", () => {
  for (let code = 0; code < 0x3000; code++) {
    const plain = toWinAnsi(String.fromCodePoint(code));
    assert(/^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/.test(plain));
  }
});
