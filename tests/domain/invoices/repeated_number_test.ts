import { assert, assertEquals, assertRejects } from "@std/assert";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import {
  findOwnPdf,
  NotArchivedYet,
} from "../../../domain/invoices/own_pdf.ts";
import { recordInvoice } from "../../../domain/invoices/record_invoice.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay } from "../../support/paid_day.ts";

Deno.test("a number given twice leads nobody to another's document", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  await archiveDocuments(services);
  const { id, number } = await day.invoice();
  const asked = await services.processor.retrieveInvoice(id);
  assert(asked.ok);
  const accountId = day.passedOver.account.id;
  const owner = { accountId, day: AUCTION_DAY, bidId: "bid_other" };
  const again = { ...asked.value, id: "in_other" };
  await services.store.transact(async (tx) => {
    await recordInvoice(tx, again, owner, clock.now());
  });
  clock.advance(60_000);
  await archiveDocuments(services);
  await assertRejects(
    () => findOwnPdf(services, { accountId, number, noteNumber: null }),
    NotArchivedYet,
  );
  const task = await services.store.archiveTasks.find(number);
  assertEquals([task?.documentId, task?.state], [id, "stored"]);
});
