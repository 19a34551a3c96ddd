/**
 * Whatever an account has gathered, no page of it reads more than so much for
 * one request: each of those that are there, and of those of tomorrow.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { DataExport } from "../../../domain/privacy/data_requests.ts";
import {
  PART_BYTES,
  PartWriter,
} from "../../../domain/privacy/export_parts.ts";
import { writeDocument } from "../../../domain/privacy/export_document.ts";
import type { Services } from "../../../domain/ports.ts";
import { openKv } from "../../../kv/open.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../support/advertiser_site.ts";
import { readyAccount } from "../../support/bidding_world.ts";
import { takeLease } from "../../support/data_copies.ts";
import { invoiceOf, saveInvoice } from "../../support/invoices.ts";
import { ReadMeter } from "../../support/read_meter.ts";
import { saveSession } from "../../support/sessions.ts";

/** Rows that one request reads at most. */
const ROWS_MAX = 1_500;
/** Bytes of them. */
const BYTES_MAX = 768 * 1_024;
/** Bytes that it answers with, of one that is not sent in pieces. */
const PAGE_BYTES_MAX = 384 * 1_024;

/** So many of everything that an account may have many of. */
const MANY = 250;

/** An account that has been busy for years, and a copy of it. */
async function fill(
  services: Services,
  accountId: string,
): Promise<DataExport> {
  const { store, clock } = services;
  const nowMs = clock.now();
  for (let nth = 0; nth < MANY; nth++) {
    await store.transact((tx) => {
      tx.creatives.save({
        adId: `ad_${nth}`,
        accountId,
        state: nth % 8 === 0 ? "approved" : "archived",
        createdAtMs: nth,
        submittedAtMs: nth,
        headline: "\u{10348}".repeat(58),
        description: "\u{10348}".repeat(198),
        targetUrl: `https://x.example/?${"\u00e9".repeat(330)}`,
        notes: 1,
      });
      tx.creativeNotes.save({
        adId: `ad_${nth}`,
        number: 1,
        event: "submitted",
        by: { kind: "advertiser", grantId: null },
        atMs: nth,
        rejection: null,
      });
      tx.accountEvents.save({
        accountId,
        position: nowMs - nth,
        type: "creative.approved",
        data: { ad_id: `ad_${nth}` },
        expiresAtMs: nowMs + 86_400_000,
      });
    });
    await saveInvoice(services, invoiceOf(accountId, `2026-${nth}`));
  }
  for (let nth = 0; nth < 20; nth++) await saveSession(services, accountId);
  return await copyOf(services, accountId);
}

async function copyOf(
  services: Services,
  accountId: string,
): Promise<DataExport> {
  const { store, clock } = services;
  const expiresAtMs = clock.now() + 86_400_000;
  const asked = { id: "exp_1", expiresAtMs };
  const lease = await takeLease(services, accountId);
  const writer = new PartWriter(services, { ...asked, lease });
  const exported = { accountId, email: "ada@example.com" };
  const sections = await writeDocument(services, exported, writer);
  const copy: DataExport = {
    ...asked,
    ...await writer.end(),
    sections,
    grantId: null,
    requestedAtMs: 0,
    readyAtMs: clock.now(),
  };
  await store.transact((tx) =>
    tx.dataRequests.save({
      accountId,
      exports: [copy],
      dueAtMs: null,
      leaseOwner: null,
      failures: 0,
      expiresAtMs,
    })
  );
  return copy;
}

/** Where each page is read. */
function pathsOf({ routes }: AdvertiserSite): string[] {
  return routes.filter(({ method }) => method === "GET").map(({ path }) =>
    path.replace("/exports/:id", "/exports/exp_1")
      .replace(":adId", "ad_1")
      .replace(":number", "2026-1")
      .replace(":day", "2026-11-20")
      .replaceAll(/:\w+/g, "x_1")
  );
}

Deno.test("no page of an account that has much of everything reads or answers more than so much for one request", async () => {
  const kv = new ReadMeter(await openKv(":memory:"));
  await using site = await openAdvertiserSite({ kv });
  const browser = await site.browser("ada", {
    ...readyAccount("ada"),
    email: "ada@example.com",
  });
  const copy = await fill(site.services, browser.account.id);
  assert(copy.parts > 10, `the copy has ${copy.parts} parts`);
  const paths = [...pathsOf(site), "/settings/privacy/exports/exp_1?part=2"];
  assert(paths.includes("/settings/privacy/exports/exp_1/document"));
  const beyond: Record<string, unknown> = {};
  for (const path of paths) {
    let status = 0;
    let answered = 0;
    const read = await kv.count(async () => {
      const answer = await browser.get(path);
      status = answer.status;
      // What is sent in pieces is read as it is taken: here the first of them.
      const reader = answer.body?.getReader();
      const isLarge = path.endsWith("/document");
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) break;
        answered += part.value.byteLength;
        if (isLarge) break;
      }
      await reader?.cancel();
    });
    if (path.includes("/exports/")) assertEquals(status, 200, path);
    const isWithin = read.rows <= ROWS_MAX && read.bytes <= BYTES_MAX &&
      answered <= PAGE_BYTES_MAX;
    if (!isWithin) beyond[path] = { ...read, answered };
  }
  assertEquals(beyond, {});
});

Deno.test("the parts of a copy are read one by one, as its reader takes them", async () => {
  const kv = new ReadMeter(await openKv(":memory:"));
  await using site = await openAdvertiserSite({ kv });
  const browser = await site.browser("ada", readyAccount("ada"));
  const copy = await fill(site.services, browser.account.id);
  const answer = await browser.get("/settings/privacy/exports/exp_1/document");
  assertEquals(answer.headers.get("content-length"), String(copy.bytes));
  const reader = answer.body?.getReader();
  let bytes = 0;
  for (let nth = 0; nth < copy.parts; nth++) {
    const read = await kv.count(async () => {
      bytes += (await reader?.read())?.value?.byteLength ?? 0;
    });
    assert(read.rows <= 1 && read.bytes <= PART_BYTES + 1_024);
  }
  assertEquals((await reader?.read())?.done, true);
  assertEquals(bytes, copy.bytes);
});
