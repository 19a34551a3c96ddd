/**
 * Numbered documents on their way into the archive: a real store, the real
 * `stripe` package, the simulator over HTTP, and a clock that is told.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  archiveName,
  type ArchiveTask,
} from "../../../domain/invoices/archive_task.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { recordInvoice } from "../../../domain/invoices/record_invoice.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Outcome } from "../../../domain/payments/outcome.ts";
import type { Services } from "../../../domain/ports.ts";
import type { StripeClient } from "../../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../../adapters/stripe/stripe_processor.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";

/** One of several processes. */
export type TestIsolate = ReturnType<AuctionWorld["another"]>;

/** A world with invoices to archive. */
export interface ArchiveWorld {
  auction: AuctionWorld;
  /** As the world's, with a processor that is given all the time it may take. */
  services: Services;
  /** Another process over the same store and processor. */
  another(wrap?: (processor: Processor) => Processor): TestIsolate;
  who: Advertiser;
  /** An invoice that was made final and written down a moment ago. */
  issue(amountCents?: number): Promise<Invoice>;
  task(number: string): Promise<ArchiveTask>;
  /** Rows of a family. */
  count(family: string): Promise<number>;
  /** What the archive has is what the processor prints, whole, once. */
  assertArchived(number: string): Promise<void>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}

/** Opens a world with one advertiser. */
export async function openArchiveWorld(): Promise<ArchiveWorld> {
  const auction = await openAuctionWorld();
  const { testStore } = auction;
  const processor = createStripeProcessor(auction.stripe as StripeClient);
  const services = { ...auction.services, processor };
  const who = await auction.advertiser("ada");
  const task = async (number: string) => {
    const found = await services.store.archiveTasks.find(number);
    assert(found !== null, `there is a task for ${number}`);
    return found;
  };
  return {
    auction,
    services,
    another: (wrap = (same) => same) => auction.another(() => wrap(processor)),
    who,
    task,
    issue: (amountCents = 1_000) => issue(services, who, amountCents),
    async count(family) {
      const rows = testStore.realKv.list({ prefix: [family] });
      return (await Array.fromAsync(rows)).length;
    },
    async assertArchived(number) {
      const standing = await task(number);
      const document = await services.archive.read(archiveName(standing));
      assert(document !== null, `${number} is in the archive`);
      assertEquals(document, await printOf(services.processor, standing));
      assertEquals(standing.state, "stored");
      assertEquals(standing.bytes, document.byteLength);
      assertEquals(standing.sha256, await sha256Hex(document));
    },
    [Symbol.asyncDispose]: () => auction[Symbol.asyncDispose](),
  };
}

async function issue(
  services: Services,
  who: Advertiser,
  amountCents: number,
): Promise<Invoice> {
  const { processor, store, clock, ids } = services;
  const bidId = ids.next("bid");
  const customerId = who.account.processorCustomerId ?? "";
  const metadata = { purpose: "spotlight", day: AUCTION_DAY, bid_id: bidId };
  const draft = await processor.createInvoice({ customerId, metadata }, bidId);
  const { id: invoiceId } = valueOf(draft);
  const line = { customerId, invoiceId, amountCents, description: "Spotlight" };
  valueOf(await processor.addInvoiceLine(line, `${bidId}:line`));
  const key = `${bidId}:finalize`;
  const found = valueOf(await processor.finalizeInvoice(invoiceId, key));
  const owner = { accountId: who.account.id, day: AUCTION_DAY, bidId };
  const invoice = await store.transact((tx) =>
    recordInvoice(tx, found, owner, clock.now())
  );
  assert(invoice !== null);
  return invoice;
}

async function printOf(
  processor: Processor,
  { kind, documentId }: ArchiveTask,
): Promise<Uint8Array> {
  const max = 100_000_000;
  return valueOf(
    kind === "invoice"
      ? await processor.downloadInvoicePdf(documentId, max)
      : await processor.downloadCreditNotePdf(documentId, max),
  );
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

/** The SHA-256 of bytes, hex. */
export async function sha256Hex(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex();
}
