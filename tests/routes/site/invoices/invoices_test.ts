import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Invoice } from "../../../../domain/invoices/invoice.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import {
  archiveAs,
  FINALIZED_MS,
  invoiceOf,
  saveInvoice,
} from "../../../support/invoices.ts";

const PDF = "%PDF-1.7 an invoice %%EOF";
const NOTE = {
  id: "cn_1",
  number: "SPOT-0001-CN-01",
  totalCents: 12_100,
  taxCents: 2_100,
  createdAtMs: FINALIZED_MS + 60_000,
};

/** Saves an invoice of Ada's; another browser's unless told otherwise. */
function save(
  { services }: AdvertiserSite,
  number: string,
  changes: Partial<Invoice> = {},
): Promise<Invoice> {
  return saveInvoice(services, invoiceOf("acc_ada", number, changes));
}

async function textOf(browser: SignedInBrowser, path = "/invoices") {
  const page = await browser.get(path);
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  return await page.text();
}

/** The same as it is read: without what is markup. */
async function readOf(browser: SignedInBrowser, path = "/invoices") {
  const html = await textOf(browser, path);
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

Deno.test("/invoices says when there is none yet, and when there will be", async () => {
  await using site = await openAdvertiserSite();
  const html = await textOf(await site.browser("ada"));
  assertStringIncludes(html, "You have no invoice yet");
  assertEquals(html.includes("Older invoices"), false);
});

Deno.test("/invoices says in plain words how each invoice stands", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001");
  await save(site, "SPOT-0002", {
    state: "void",
    money: "none",
    paidAtMs: null,
    taxCents: 0,
  });
  const text = await readOf(await site.browser("ada"));
  const day = "20 Nov 2026";
  assertStringIncludes(
    text,
    `SPOT-0001 Spotlight of ${day} ${day} 100.00 21.00 121.00 Paid`,
  );
  assertStringIncludes(text, "121.00 None 121.00 Cancelled");
});

Deno.test("/invoices links to what is archived and says what is not yet", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001", { money: "refunded", creditNotes: [NOTE] });
  const browser = await site.browser("ada");
  const page = "/invoices/SPOT-0001";
  const soon = "will be here in a few minutes";
  assertStringIncludes(await textOf(browser, page), soon);
  await archiveAs(site.services, "SPOT-0001", PDF);
  await archiveAs(site.services, NOTE.number, `${PDF} note`);
  const pages = await textOf(browser) +
    await textOf(browser, page);
  assertEquals(pages.includes("in a few minutes"), false);
  const links = [...pages.matchAll(/href="(\/invoices\/[^"]+pdf)"/g)];
  assertEquals(links.map(([, path]) => path), [
    "/invoices/SPOT-0001/pdf",
    "/invoices/SPOT-0001/credit_notes/SPOT-0001-CN-01/pdf",
    "/invoices/SPOT-0001/pdf",
  ]);
  for (const [, path] of links) {
    const answer = await browser.get(path ?? "");
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "application/pdf");
    assertEquals(answer.headers.get("cache-control"), "private, no-cache");
    assertStringIncludes(await answer.text(), PDF);
  }
});

Deno.test("/invoices says whom to ask for a PDF that could not be archived", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001");
  const { store } = site.services;
  await store.transact(async (tx) => {
    const task = await tx.archiveTasks.find("SPOT-0001");
    assert(task !== null);
    tx.archiveTasks.save({ ...task, state: "impossible" });
  });
  const html = await textOf(await site.browser("ada"), "/invoices/SPOT-0001");
  assertStringIncludes(html, "Please ask us for the PDF");
});

Deno.test("/invoices shows 20 at a time and leads on to older ones and back", async () => {
  await using site = await openAdvertiserSite();
  for (let nth = 0; nth < 25; nth++) {
    await save(site, `SPOT-${nth}`, { finalizedAtMs: FINALIZED_MS + nth });
  }
  const browser = await site.browser("ada");
  const first = await textOf(browser);
  const numbers = (html: string) =>
    [...html.matchAll(/"\/invoices\/(SPOT-\d+)"/g)].map(([, number]) => number);
  assertEquals(numbers(first)[0], "SPOT-24");
  assertEquals(numbers(first).length, 20);
  const [, older = ""] = /href="(\/invoices\?cursor=[^"]+)"/.exec(first) ?? [];
  await save(site, "SPOT-99", { finalizedAtMs: FINALIZED_MS + 99 });
  const second = await textOf(browser, older);
  assertEquals(numbers(second), [4, 3, 2, 1, 0].map((nth) => `SPOT-${nth}`));
  assertStringIncludes(second, '<a href="/invoices">Newest invoices</a>');
  assertEquals(second.includes("Older invoices"), false);
});

Deno.test("another's papers, unknown ones and a cursor of nobody's lead nowhere", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001", { creditNotes: [NOTE] });
  await archiveAs(site.services, "SPOT-0001", PDF);
  await archiveAs(site.services, NOTE.number, PDF);
  const eve = await site.browser("eve");
  assertStringIncludes(await textOf(eve), "You have no invoice yet");
  const ask = async (path: string) => {
    const answer = await eve.get(`/invoices/${path}`);
    return [answer.status, await answer.text()];
  };
  const unknown = await ask("SPOT-0009/pdf");
  assertEquals(unknown[0], 404);
  assertEquals(await ask("SPOT-0001/pdf"), unknown);
  assertEquals(await ask("SPOT-0001"), unknown);
  assertEquals(await ask("SPOT-0009"), unknown);
  assertEquals(
    await ask(`SPOT-0001/credit_notes/${NOTE.number}/pdf`),
    unknown,
  );
  assertEquals((await eve.get("/invoices?cursor=x")).status, 400);
});

Deno.test("/invoices and what lies behind ask who is not signed in to sign in", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001");
  await archiveAs(site.services, "SPOT-0001", PDF);
  for (
    const path of [
      "/invoices",
      "/invoices/SPOT-0001",
      "/invoices/SPOT-0001/pdf",
    ]
  ) {
    const answer = await site.visitor(path);
    assertEquals(answer.status, 303);
    const location = answer.headers.get("location") ?? "";
    assertStringIncludes(location, "/sign-in");
    assertStringIncludes(decodeURIComponent(location), path);
  }
});

Deno.test("a PDF that is not archived yet is a page that says to try again", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001");
  const browser = await site.browser("ada");
  const answer = await browser.get("/invoices/SPOT-0001/pdf");
  assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  assertStringIncludes(await answer.text(), "Back in a moment");
});

Deno.test("/invoices shows what came from elsewhere as text", async () => {
  await using site = await openAdvertiserSite();
  await save(site, `<b>"&'`);
  const browser = await site.browser("ada");
  const [, path = ""] = /"(\/invoices\/[^"]+)"/
    .exec(await textOf(browser)) ?? [];
  assertEquals(path, "/invoices/%3Cb%3E%22%26'".replace("'", "&#39;"));
  for (const at of ["/invoices", path.replace("&#39;", "'")]) {
    assert(!(await textOf(browser, at)).includes("<b>"));
  }
});

Deno.test("downloads cost a token of the address bucket, the list does not", async () => {
  await using site = await openAdvertiserSite();
  await save(site, "SPOT-0001");
  await archiveAs(site.services, "SPOT-0001", PDF);
  const browser = await site.browser("ada");
  const statuses = new Set<number>();
  for (let nth = 0; nth < 200 && !statuses.has(429); nth++) {
    statuses.add((await browser.get("/invoices/SPOT-0001/pdf")).status);
  }
  assertEquals(statuses, new Set([200, 429]));
  assertEquals((await browser.get("/invoices")).status, 200);
});
