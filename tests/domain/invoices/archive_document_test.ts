import { assert, assertEquals } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  ARCHIVE_LEASE_MS,
  archiveDocument,
} from "../../../domain/invoices/archive_document.ts";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { retryArchiving } from "../../../domain/invoices/retry_archiving.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import { keyOf, lostConnection } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { type ArchiveWorld, openArchiveWorld } from "./archive_world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Pdf = Awaited<ReturnType<Processor["downloadInvoicePdf"]>>;

/** Another process whose downloads are these instead. */
function downloading(
  world: ArchiveWorld,
  download: (real: () => Promise<Pdf>) => Promise<Pdf>,
): Services {
  return world.another((real) => ({
    ...real,
    downloadInvoicePdf: (id, maxBytes) =>
      download(() => real.downloadInvoicePdf(id, maxBytes)),
  })).services;
}

function bytesOf(text: string): Pdf {
  return { ok: true, value: new TextEncoder().encode(text) };
}

Deno.test("archiveDocument() stores what the processor printed, and writes down size and SHA-256", async () => {
  await using world = await openArchiveWorld();
  const { log } = world.auction;
  const { services } = world;
  const { number } = await world.issue();
  assertEquals((await world.task(number)).state, "waiting");
  await archiveDocument(services, { number });
  await world.assertArchived(number);
  assert(await services.archive.describe(`invoice:${number}`) !== null);
  assertEquals(log.events, ["archive.stored"]);
});

Deno.test("archiveDocument() leaves alone what is stored, however often it is asked", async () => {
  await using world = await openArchiveWorld();
  const { clock, simulator } = world.auction;
  const { services } = world;
  const { number } = await world.issue();
  await archiveDocument(services, { number });
  const before = await world.task(number);
  simulator.control.clearRequests();
  clock.advance(24 * HOUR_MS);
  await archiveDocument(services, { number });
  await archiveDocuments(services);
  assertEquals(await world.task(number), before);
  assertEquals(simulator.control.requests(), []);
});

Deno.test("archiveDocument() takes for success that another has stored it", async () => {
  await using world = await openArchiveWorld();
  const { services } = world;
  const { number } = await world.issue();
  const first = new TextEncoder().encode("%PDF-1.7 printed before %%EOF");
  await services.archive.store(`invoice:${number}`, first);
  await archiveDocument(services, { number });
  const task = await world.task(number);
  assertEquals([task.state, task.bytes], ["stored", first.byteLength]);
  assertEquals(await services.archive.read(`invoice:${number}`), first);
});

Deno.test("archiveDocument() stores a document larger than a value and a commit", async () => {
  await using world = await openArchiveWorld();
  const { simulator } = world.auction;
  const { services } = world;
  simulator.control.invoicePaddingBytes = 1_500_000;
  const { number } = await world.issue();
  await archiveDocument(services, { number });
  await world.assertArchived(number);
  assert(((await world.task(number)).bytes ?? 0) > 1_500_000);
});

for (
  const [what, spoil] of [
    ["an error page in its place", () => "<html>Back soon</html>"],
    ["a file that was cut off", (pdf: string) => pdf.slice(0, -40)],
    ["an empty file", () => ""],
    ["a page that names a PDF", () => "<p>%PDF-1.7 … %%EOF</p>"],
  ] as const
) {
  Deno.test(`archiveDocument() stores nothing of ${what}, and tries again`, async () => {
    await using world = await openArchiveWorld();
    const { auction } = world;
    const { number } = await world.issue();
    const broken = downloading(world, async (real) => {
      const pdf = await real();
      assert(pdf.ok);
      return bytesOf(spoil(new TextDecoder("latin1").decode(pdf.value)));
    });
    await archiveDocument(broken, { number });
    const task = await world.task(number);
    assertEquals(task.state, "waiting");
    assertEquals(task.dueAtMs, auction.clock.now() + MINUTE_MS);
    assertEquals(await world.count("chunk_manifests"), 0);
    assertEquals(auction.log.events, ["archive.failed"]);
    auction.clock.advance(MINUTE_MS);
    await archiveDocuments(world.services);
    await world.assertArchived(number);
  });
}

Deno.test("a processor that is down for a day is asked more and more seldom, and all is archived within an hour after", async () => {
  await using world = await openArchiveWorld();
  const { clock } = world.auction;
  const { services } = world;
  let asked = 0;
  const down = downloading(world, () => {
    asked += 1;
    return Promise.reject(new ProcessorUncertain("Cannot download"));
  });
  const { number } = await world.issue();
  for (let minute = 0; minute < 24 * 60; minute++) {
    await archiveDocuments(down);
    clock.advance(MINUTE_MS);
  }
  assert(asked >= 24 && asked <= 31, `asked ${asked} times`);
  for (let minute = 0; minute < 60; minute++) {
    await archiveDocuments(services);
    clock.advance(MINUTE_MS);
  }
  await world.assertArchived(number);
});

Deno.test("a document the processor does not know is asked for again, for ever", async () => {
  await using world = await openArchiveWorld();
  const { clock } = world.auction;
  const unknown = downloading(
    world,
    () => Promise.resolve({ ok: false, code: "resource_missing", message: "" }),
  );
  const { number } = await world.issue();
  for (let day = 0; day < 30; day++) {
    await archiveDocuments(unknown);
    clock.advance(24 * HOUR_MS);
  }
  const task = await world.task(number);
  assertEquals([task.state, task.attempts], ["waiting", 30]);
});

Deno.test("a document larger than the archive takes is impossible, told once and not tried again", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  const { number } = await world.issue();
  const small = {
    ...world.services,
    archive: { ...world.services.archive, maxBytes: 100 },
  };
  await archiveDocument(small, { number });
  assertEquals((await world.task(number)).state, "impossible");
  assertEquals(auction.log.events, ["archive.impossible"]);
  auction.clock.advance(24 * HOUR_MS);
  await archiveDocuments(world.services);
  assertEquals((await world.task(number)).state, "impossible");
});

Deno.test("a document the store refuses as such is impossible", async () => {
  await using world = await openArchiveWorld();
  const { number } = await world.issue();
  const { services, kv } = world.another();
  kv.inject({
    on: "commit",
    key: keyOf("chunks"),
    fault: {
      kind: "fail_before",
      error: new TypeError("Value too large (max 65536 bytes)"),
    },
  });
  await archiveDocument(services, { number });
  assertEquals((await world.task(number)).state, "impossible");
});

Deno.test("a store that does not answer is no reason to give up", async () => {
  await using world = await openArchiveWorld();
  const { number } = await world.issue();
  const { services, kv } = world.another();
  const error = lostConnection();
  kv.inject({
    on: "commit",
    key: keyOf("chunk_manifests"),
    fault: { kind: "fail_before", error },
  });
  await archiveDocument(services, { number });
  assertEquals((await world.task(number)).state, "waiting");
  world.auction.clock.advance(MINUTE_MS);
  await archiveDocuments(services);
  await world.assertArchived(number);
});

Deno.test("one document's trouble keeps no other waiting", async () => {
  await using world = await openArchiveWorld();
  const first = await world.issue();
  const second = await world.issue(2_000);
  const { auction } = world;
  auction.simulator.control.addFault({
    kind: "error_before_effect",
    path: `/v1/invoices/${first.id}`,
  });
  await archiveDocuments(world.services);
  assertEquals((await world.task(first.number)).state, "waiting");
  await world.assertArchived(second.number);
});

Deno.test("a lease keeps others away until it ends, and the first to store wins", async () => {
  await using world = await openArchiveWorld();
  const { clock } = world.auction;
  const { services } = world;
  const { number } = await world.issue();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const slow = downloading(world, async (real) => {
    asked.resolve();
    await answer.promise;
    return await real();
  });
  const slowly = archiveDocument(slow, { number });
  await asked.promise;
  clock.advance(ARCHIVE_LEASE_MS - 1);
  await archiveDocuments(services);
  assertEquals((await world.task(number)).state, "waiting");
  clock.advance(1);
  await archiveDocuments(services);
  await world.assertArchived(number);
  const before = await world.task(number);
  answer.resolve();
  await slowly;
  assertEquals(await world.task(number), before);
  assertEquals(await world.count("chunk_manifests"), 1);
  assertEquals(await world.count("chunk_attempts"), 0);
});

Deno.test("a failure that is told late takes nothing from who has the lease by then", async () => {
  await using world = await openArchiveWorld();
  const { clock } = world.auction;
  const { number } = await world.issue();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Pdf>();
  const slow = downloading(world, () => {
    asked.resolve();
    return answer.promise;
  });
  const slowly = archiveDocument(slow, { number });
  await asked.promise;
  clock.advance(ARCHIVE_LEASE_MS);
  const held = Promise.withResolvers<void>();
  const other = downloading(world, async (real) => {
    answer.resolve({ ok: false, code: "file_too_large", message: "" });
    await slowly;
    held.resolve();
    return await real();
  });
  await archiveDocument(other, { number });
  await held.promise;
  await world.assertArchived(number);
});

Deno.test("retryArchiving() archives what was impossible once its cause is gone", async () => {
  await using world = await openArchiveWorld();
  const { number } = await world.issue();
  const archive = { ...world.services.archive, maxBytes: 100 };
  await archiveDocument({ ...world.services, archive }, { number });
  const task = await retryArchiving(world.services, { number });
  assertEquals(task.state, "stored");
  await world.assertArchived(number);
  assertEquals(await retryArchiving(world.services, { number }), task);
});

Deno.test("retryArchiving() waits for no pause", async () => {
  await using world = await openArchiveWorld();
  const { number } = await world.issue();
  const broken = downloading(world, () => Promise.resolve(bytesOf("")));
  await archiveDocument(broken, { number });
  await retryArchiving(world.services, { number });
  await world.assertArchived(number);
});

Deno.test("retryArchiving() knows numbers only that are to be archived", async () => {
  await using world = await openArchiveWorld();
  await assertRefused(
    () => retryArchiving(world.services, { number: "SIM-9999" }),
    "not_found",
  );
});
