import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  ARCHIVE_LEASE_MS,
  archiveDocument,
} from "../../../domain/invoices/archive_document.ts";
import {
  archiveDocuments,
  createArchivePump,
} from "../../../domain/invoices/archive_documents.ts";
import { purgeArchive } from "../../../domain/invoices/purge_archive.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { createStore } from "../../../kv/store.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import {
  type CrashPoint,
  everyCrashPoint,
  isCrash,
  NETWORK_FAULTS,
} from "../../support/faults.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { ManualTimer } from "../../support/timer.ts";
import { type ArchiveWorld, openArchiveWorld } from "./archive_world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Larger than a value and a commit. */
const PADDING = 1_000_000;

/** What a restart does: sweeps, over an hour long, and the clean-up. */
async function recover(
  { auction: { clock }, services }: ArchiveWorld,
): Promise<void> {
  for (let sweep = 0; sweep < 8; sweep++) {
    await archiveDocuments(services);
    clock.advance(10 * MINUTE_MS);
  }
  await purgeArchive(services);
}

async function liveUntilCrash(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("of many isolates one downloads and stores a document", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  auction.simulator.control.invoicePaddingBytes = PADDING;
  const { number } = await world.issue();
  auction.simulator.control.clearRequests();
  const isolates = Array.from({ length: 6 }, () => world.another().services);
  await Promise.all(
    isolates.map((services) => archiveDocument(services, { number })),
  );
  await world.assertArchived(number);
  assertEquals((await world.task(number)).attempts, 1);
  assertEquals(await world.count("chunk_manifests"), 1);
  assertEquals(await world.count("chunk_attempts"), 0);
  const { length } = auction.simulator.control.requests();
  assert(length <= 2 * 2, `${length} requests`);
});

Deno.test("isolates that store at the same moment leave one whole document", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  auction.simulator.control.invoicePaddingBytes = PADDING;
  const { number } = await world.issue();
  const gate = Promise.withResolvers<void>();
  const runs: Promise<void>[] = [];
  for (let nth = 1; nth <= 3; nth++) {
    const downloaded = Promise.withResolvers<void>();
    const { services } = world.another((real) => ({
      ...real,
      async downloadInvoicePdf(id, maxBytes) {
        const pdf = await real.downloadInvoicePdf(id, maxBytes);
        downloaded.resolve();
        await gate.promise;
        return pdf;
      },
    }));
    runs.push(archiveDocument(services, { number }));
    await downloaded.promise;
    auction.clock.advance(ARCHIVE_LEASE_MS);
  }
  gate.resolve();
  await Promise.all(runs);
  await world.assertArchived(number);
  assertEquals(await world.count("chunk_manifests"), 1);
  await recover(world);
  assertEquals(await world.count("chunk_attempts"), 0);
  assertEquals(
    await world.count("chunks"),
    chunksOf(await bytes(world, number)),
  );
});

async function bytes(world: ArchiveWorld, number: string): Promise<number> {
  return (await world.task(number)).bytes ?? 0;
}

function chunksOf(size: number): number {
  return Math.ceil(size / (60 * 1_024));
}

Deno.test("a process that dies at any commit leaves a document that is stored once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openArchiveWorld();
    const { auction } = world;
    auction.simulator.control.invoicePaddingBytes = PADDING;
    const { number } = await world.issue();
    const doomed = world.another();
    doomed.kv.crashAt(point);
    await liveUntilCrash(() => archiveDocument(doomed.services, { number }));
    await recover(world);
    await world.assertArchived(number);
    assertEquals(await world.count("chunk_manifests"), 1);
    assertEquals(await world.count("chunk_attempts"), 0);
    const wanted = chunksOf(await bytes(world, number));
    assertEquals(await world.count("chunks"), wanted);
    return doomed.kv.dead;
  });
  assert(points >= 10, `${points} points`);
});

for (const when of ["before", "after"] as const) {
  Deno.test(`a process that dies ${when} the download leaves a document that is stored`, async () => {
    await using world = await openArchiveWorld();
    const { number } = await world.issue();
    const die = () => doomed.kv.crash();
    const doomed = world.another((real) =>
      crashingProcessor(real, { call: 1, when }, die)
    );
    await liveUntilCrash(() => archiveDocument(doomed.services, { number }));
    assert(doomed.kv.dead);
    await recover(world);
    await world.assertArchived(number);
  });
}

Deno.test("a voided invoice is archived as well", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  const bob = await auction.advertiser("bob", "pm_card_chargeCustomerFail");
  await auction.bid(bob, 5_000);
  await closeDay(world.services);
  await settleInTime(auction);
  await recover(world);
  const [invoice] = await world.services.store.listInvoices("acc_bob", {
    limit: 10,
  });
  assertEquals(invoice?.state, "void");
  await world.assertArchived(invoice?.number ?? "");
});

Deno.test("an invoice and its credit note are archived, each under its number", async () => {
  await using world = await openArchiveWorld();
  const { auction, who } = world;
  await auction.bid(who, 5_000);
  await closeDay(world.services);
  await settleDay(world.services, { day: AUCTION_DAY });
  const { number, creditNotes } = await refundSpotlight(world.services, {
    day: AUCTION_DAY,
    note: "shown by mistake",
  });
  await recover(world);
  const [note] = creditNotes;
  await world.assertArchived(number);
  await world.assertArchived(note?.number ?? "");
  assertEquals(
    await world.services.archive.describe(`credit_note:${note?.number}`) !==
      null,
    true,
  );
});

Deno.test("purgeArchive() removes what a dead writer left, and nothing that is stored", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  auction.simulator.control.invoicePaddingBytes = PADDING;
  const { number } = await world.issue();
  const doomed = world.another();
  doomed.kv.crashAt({ commit: 3, when: "after" });
  await liveUntilCrash(() => archiveDocument(doomed.services, { number }));
  assertEquals(await world.count("chunk_attempts"), 1);
  await purgeArchive(world.services);
  assertEquals(await world.count("chunk_attempts"), 1);
  auction.clock.advance(HOUR_MS + 1);
  await purgeArchive(world.services);
  assertEquals(await world.count("chunk_attempts"), 0);
  assertEquals(await world.count("chunks"), 0);
  await recover(world);
  await world.assertArchived(number);
});

Deno.test("a document is archived straight after the commit that tells of it", async () => {
  await using world = await openArchiveWorld();
  const { auction } = world;
  const pump = createArchivePump(world.services, new ManualTimer().start);
  const told: string[] = [];
  const store = createStore({
    kv: auction.kv,
    clock: auction.clock,
    onDocumentsQueued(numbers) {
      told.push(...numbers);
      pump.offer(numbers);
    },
  });
  await auction.bid(world.who, 5_000);
  await closeDay(world.services);
  await settleDay({ ...world.services, store }, { day: AUCTION_DAY });
  await pump.close();
  const [invoice] = await store.listInvoices("acc_ada", { limit: 10 });
  assertEquals(told, [invoice?.number]);
  await world.assertArchived(invoice?.number ?? "");
});

/** One thing that happens to the archive of several invoices. */
type Event =
  | { kind: "sweep"; trouble: Trouble; crash: CrashPoint }
  | { kind: "wait"; minutes: number }
  | { kind: "issue" }
  | { kind: "purge" };
type Trouble = "none" | "down" | "garbage" | "cut_off";

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant("sweep" as const),
    trouble: fc.constantFrom<Trouble>(
      "none",
      "none",
      "down",
      "garbage",
      "cut_off",
    ),
    crash: fc.record({
      // Beyond the commits of a sweep: no crash.
      commit: fc.integer({ min: 1, max: 30 }),
      when: fc.constantFrom("after" as const, ...NETWORK_FAULTS),
    }),
  }),
  fc.record({
    kind: fc.constant("wait" as const),
    minutes: fc.constantFrom(1, 4, 70),
  }),
  fc.constant<Event>({ kind: "issue" }),
  fc.constant<Event>({ kind: "purge" }),
);

function troubled(real: Processor, trouble: Trouble): Processor {
  return {
    ...real,
    async downloadInvoicePdf(id, maxBytes) {
      if (trouble === "down") throw new ProcessorUncertain("Cannot download");
      const pdf = await real.downloadInvoicePdf(id, maxBytes);
      if (trouble === "none" || !pdf.ok) return pdf;
      const value = trouble === "garbage"
        ? new Uint8Array(2_000)
        : pdf.value.slice(0, -100);
      return { ok: true, value };
    },
  };
}

async function happen(
  world: ArchiveWorld,
  event: Event,
  numbers: string[],
): Promise<void> {
  const { auction } = world;
  switch (event.kind) {
    case "wait":
      return auction.clock.advance(event.minutes * MINUTE_MS);
    case "issue":
      numbers.push((await world.issue()).number);
      return;
    case "purge":
      return await purgeArchive(world.services);
    case "sweep": {
      const { services, kv } = world.another((real) =>
        troubled(real, event.trouble)
      );
      kv.crashAt(event.crash);
      return await liveUntilCrash(() => archiveDocuments(services));
    }
  }
}

Deno.test("any crashes, outages and bad files end with every document stored once and whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(events, { minLength: 3, maxLength: 14 }),
      async (story) => {
        await using world = await openArchiveWorld();
        world.auction.simulator.control.invoicePaddingBytes = 200_000;
        const numbers = [(await world.issue()).number];
        for (const event of story) await happen(world, event, numbers);
        await recover(world);
        for (const number of numbers) await world.assertArchived(number);
        assertEquals(await world.count("chunk_manifests"), numbers.length);
        assertEquals(await world.count("chunk_attempts"), 0);
        const sizes = await Promise.all(numbers.map((n) => bytes(world, n)));
        const wanted = sizes.reduce((sum, size) => sum + chunksOf(size), 0);
        assertEquals(await world.count("chunks"), wanted);
      },
    ),
    { numRuns: 20 },
  );
});
