import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import {
  archiveAs,
  FINALIZED_MS,
  invoiceOf,
  saveInvoice,
} from "../support/invoices.ts";
import { dayText } from "../support/public_spotlights.ts";

const PDF = "%PDF-1.7 an invoice %%EOF";

/** One invoice of each kind, newest first. */
const KINDS: readonly Partial<Invoice>[] = [
  { state: "open", money: "none", paidAtMs: null, taxCents: 0 },
  {},
  {
    money: "refunded",
    creditNotes: [{
      id: "cn_1",
      number: "SPOT-0003-CN-01",
      totalCents: 12_100,
      taxCents: 2_100,
      createdAtMs: FINALIZED_MS,
    }],
  },
  { money: "refunding" },
  { money: "written_off" },
  { state: "uncollectible", money: "none", paidAtMs: null },
  { state: "void", money: "none", paidAtMs: null, totalCents: 100_000_000 },
];

/** Those whose pages are looked at. */
const SHOWN = [
  ["SPOT-1001", "paid"],
  ["SPOT-1002", "refunded"],
  ["SPOT-1006", "cancelled"],
] as const;

Deno.test("invoices are seen, paged through and downloaded", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/invoices");
  await signInHere(world, page);
  await page.waitForURL("**/invoices");
  await see(page, "invoices-none");
  const owner = await services.store.accountEmails.find(ADA);
  const save = (nth: number, changes: Partial<Invoice>) =>
    saveInvoice(
      services,
      invoiceOf(owner?.accountId ?? "", `SPOT-${1_000 + nth}`, {
        finalizedAtMs: FINALIZED_MS - nth * 86_400_000,
        day: dayText(`2026-11-${String(20 - nth % 19).padStart(2, "0")}`),
        ...changes,
      }),
    );
  for (const [nth, changes] of KINDS.entries()) await save(nth, changes);
  for (let nth = KINDS.length; nth < 23; nth++) await save(nth, {});
  await archiveAs(services, "SPOT-1001", PDF);
  await archiveAs(services, "SPOT-0003-CN-01", PDF);
  await page.goto("/account");
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await page.waitForURL("**/invoices");
  await see(page, "invoices");
  const download = page.waitForEvent("download");
  await page.goto("/invoices/SPOT-1001");
  await page.getByRole("link", { name: "Download PDF of invoice SPOT-1001" })
    .click();
  assertEquals(
    (await download).suggestedFilename(),
    "invoice-SPOT-1001.pdf",
  );
  assertStringIncludes(
    await Deno.readTextFile(await (await download).path()),
    PDF,
  );
  await page.goto("/invoices");
  for (const [number, name] of SHOWN) {
    await page.getByRole("link", { name: number, exact: true }).click();
    await page.waitForURL(`**/invoices/${number}`);
    await see(page, `invoice-${name}`);
    await page.goBack();
  }
  await page.goto("/invoices/SPOT-1002");
  await page.emulateMedia({ media: "print" });
  await see(page, "invoice-print");
  await page.emulateMedia({ media: "screen" });
  await page.goto("/invoices");
  await page.getByLabel("State").selectOption("Refunded");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/invoices?period=&status=refunded");
  assertEquals(await page.locator("tbody tr").count(), 1);
  await page.goto("/invoices");
  await page.getByRole("link", { name: "Older invoices" }).click();
  await page.waitForURL("**/invoices?cursor=*");
  await see(page, "invoices-older");
  assertMatch(await page.innerText("main"), /SPOT-1022/);
  await page.getByRole("link", { name: "Newest invoices" }).click();
  await page.waitForURL("**/invoices");
  await page.goto("/invoices/SPOT-1002/pdf");
  await see(page, "invoices-not-yet");
  assertEquals(
    unwanted(complaints).filter((text) => !text.includes("503")),
    [],
  );
});
