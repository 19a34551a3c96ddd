/** What is said of each family of the store, held against the store itself. */
import { assert, assertEquals } from "@std/assert";
import {
  FAMILY_ANSWERS,
  type FamilyAnswer,
} from "../../../domain/privacy/families.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { exportDocument } from "../../support/data_copies.ts";
import type { Families } from "../../../domain/ports.ts";
import { keys } from "../../../kv/keys.ts";
import { rateBucketKey } from "../../../kv/rate_bucket_keys.ts";
import { familyOf, tables } from "../../../kv/tables.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
} from "../../support/canary_account.ts";
import { eraseOwn } from "../../support/erasures.ts";
import { openPaidDay } from "../../support/paid_day.ts";
import { sellDay } from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

const NAMES = Object.keys(FAMILY_ANSWERS) as (keyof Families)[];

/** Rows that are no records: counters, bytes and marks of the store itself. */
const TECHNICAL: Readonly<Record<string, string>> = {
  bid_counts: "a number of a day",
  click_counts: "numbers of a day",
  sign_up_counts: "numbers of a partner, which go with its links",
  spotlights_version: "a moment",
  chunk_manifests: "names of invoices, which are kept with the books",
  chunk_attempts: "the same while they are written",
  chunks: "the printed invoices, which are kept with the books",
  commit_marks: "marks of commits",
  logged_changes: "changes on their way to the backup, which has the same rows",
  backup_series: "how far backups are",
  store_id: "the store's own id",
  schema: "the version of the rows",
  store_probe: "a mark",
  unfinished_restore: "a mark",
  rate_buckets: "keyed hashes, until a bucket is full",
};

/** The family of a table as the store names it. */
function storedAs(name: keyof Families): string {
  return familyOf(tables[name].key as (...parts: never[]) => Deno.KvKey);
}

const STORED = new Map(NAMES.map((name) => [storedAs(name), name]));

/** The record of an index family; itself for a family of records. */
function recordOf(family: string): keyof Families | undefined {
  const named = Object.entries(tables).find(([, { indexFamilies = [] }]) =>
    (indexFamilies as readonly string[]).includes(family)
  );
  return STORED.get(family) ?? named?.[0] as keyof Families | undefined;
}

/** The families with the id of an erased account that are said to have none. */
async function wrongFamilies(
  world: AuctionWorld,
  accountId: string,
): Promise<string[]> {
  const left = await familiesWith(world, accountId);
  return left.filter((family) => {
    const record = recordOf(family);
    if (record === undefined) return !Object.hasOwn(TECHNICAL, family);
    const answer: FamilyAnswer = FAMILY_ANSWERS[record];
    // A bid with an invoice is a part of the books.
    const isOfInvoice = ["bids", "bidPlaces", "bidEvents"].includes(record);
    return !("copy" in answer) || answer.erasure === "erased" && !isOfInvoice;
  });
}

/** The account of all canaries, with a day that it won. */
async function canaryWorld() {
  const world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  const companyName = "Canary Person";
  const account = await fillWithCanaries(world.services, ada, { companyName });
  await world.bid(ada, 5_000);
  await sellDay(world);
  return { world, account };
}

Deno.test("every family of the store says what it holds of a person, or is an index or no record", () => {
  assertEquals(NAMES.toSorted(), Object.keys(tables).toSorted());
  const families = [...Object.values(keys), rateBucketKey]
    .map((key) => familyOf(key as (...parts: never[]) => Deno.KvKey));
  const unanswered = families.filter((family) =>
    recordOf(family) === undefined && !Object.hasOwn(TECHNICAL, family)
  );
  assertEquals(unanswered, []);
  const twice = Object.keys(TECHNICAL).filter((family) => recordOf(family));
  assertEquals(twice, []);
});

Deno.test("what stays after an erasure, or is in no copy, says why", () => {
  for (const [name, answer] of Object.entries(FAMILY_ANSWERS)) {
    if (!("copy" in answer)) continue;
    const needsWhy = answer.copy === null || answer.erasure !== "erased";
    assert(!needsWhy || answer.why !== undefined, name);
  }
});

Deno.test("a copy has what each family says that it has", async () => {
  const { world, account: { id: accountId, email } } = await canaryWorld();
  await using _ = world;
  const document = await exportDocument(world.services, { accountId, email });
  const sections = new Set(
    Object.values<FamilyAnswer>(FAMILY_ANSWERS)
      .flatMap((answer) => "copy" in answer ? answer.copy ?? [] : []),
  );
  const empty = [...sections].filter((section) => {
    const part = document[section];
    return part === undefined || Array.isArray(part) && part.length === 0;
  });
  // Nobody disputes a payment here, and nobody has asked for anything.
  assertEquals(empty, ["disputes"]);
});

Deno.test("after an erasure only families that say so have the account's id, and no other word of it is left", async () => {
  const { world, account: { id: accountId } } = await canaryWorld();
  await using _ = world;
  const before = await familiesWith(world, CANARY);
  assert(before.length > 20, before.join());
  await eraseOwn(world.services, world.clock, accountId);
  assertEquals(await wrongFamilies(world, accountId), []);
  assertEquals(await familiesWith(world, CANARY), ["spotlights"]);
});

Deno.test("what is done about a day of an erased account afterwards writes nothing of it but the books", async () => {
  await using day = await openPaidDay();
  const { world, winner: { account: { id: accountId } } } = day;
  const { services, simulator } = world;
  await eraseOwn(world.services, world.clock, accountId);
  const { paymentId } = await day.invoice();
  const dispute = simulator.control.disputes.open(paymentId ?? "");
  for (const outcome of [null, "won"] as const) {
    if (outcome !== null) simulator.control.disputes.turn(dispute.id, outcome);
    world.clock.advance(1_000);
    await syncDispute(services, dispute.id);
  }
  assertEquals((await services.store.disputes.find(dispute.id))?.state, "won");
  await removeSpotlight(services, { day: AUCTION_DAY, reason: "Court order" });
  const by = { kind: "key", name: "desk" } as const;
  await orderRefund(services, { day: AUCTION_DAY, note: "Goodwill", by });
  world.clock.advance(1_000);
  await refundDueInvoices(services);
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(await wrongFamilies(world, accountId), []);
  const entries = await services.store.listLedger({ limit: 99 });
  const lines = entries.flatMap(({ lines }) => lines);
  assertEquals(lines.reduce((sum, line) => sum + line.amountCents, 0), 0);
});

Deno.test("docs/kv_schema.md says of each family how long it is kept, and what expires says so in its row", async () => {
  const text = await Deno.readTextFile(
    new URL("../../../docs/kv_schema.md", import.meta.url),
  );
  const lives = new Map(
    [...text.matchAll(/^\| `(\w+)` \| `\[.*?\]` \| [^|]* \| ([^|]*) \|/gm)]
      .map(([, family = "", life = ""]) => [family, life]),
  );
  for (const [family, name] of STORED) {
    const { life } = FAMILY_ANSWERS[name];
    const written = lives.get(family) ?? "";
    assert(WRITTEN[life].test(written), `${family} (${life}): ${written}`);
  }
});

/** How the page writes each kind of life. */
const WRITTEN: Readonly<Record<FamilyAnswer["life"], RegExp>> = {
  account: /account is erased|^as its|while that account/,
  books: /10 years/,
  expires: /\d|minute|hour|a day|its day/,
  service: /^ever|until|30 days/,
  work: /^until/,
};

type ExpiringName = {
  [F in keyof Families]: Families[F]["value"] extends
    { expiresAtMs?: number | null } ? F : never;
}[keyof Families];

/** Held by the compiler: a family that expires has a moment in its rows. */
const EXPIRING = [
  "accountEvents",
  "cardRemovals",
  "exportParts",
  "outbox",
  "sessions",
  "fetchedDocuments",
  "authorizationRequests",
  "authorizationCodes",
  "usedAssertions",
  "mandateUses",
  "adReports",
  "clickBookings",
  "clickVisitors",
  "clickSalts",
  "idempotency",
  "sandboxJobs",
  "rehearsals",
  "refundRequests",
  "webhookEvents",
  "passkeyChallenges",
  "signInChallenges",
] as const satisfies readonly ExpiringName[];

Deno.test("every family that is said to expire has a moment in its rows", () => {
  const said = NAMES.filter((name) => FAMILY_ANSWERS[name].life === "expires");
  assertEquals(said.toSorted(), [...EXPIRING].toSorted());
});

Deno.test("a row of each family that expires reads as absent from its moment on", async () => {
  await using test = await openTestStore();
  const { store, realKv, clock } = test;
  for (const name of EXPIRING) {
    const { key } = tables[name] as { key: (...id: string[]) => Deno.KvKey };
    // More parts than a key has are not looked at.
    const id = ["a", "b", "c"];
    const row = { expiresAtMs: clock.now() + 1 };
    const atomic = realKv.atomic();
    atomic.set(key(...id), row);
    await atomic.commit();
    const table = store[name] as { find(...id: string[]): Promise<unknown> };
    assertEquals(await table.find(...id), row, name);
    clock.advance(1);
    assertEquals(await table.find(...id), null, name);
  }
});
