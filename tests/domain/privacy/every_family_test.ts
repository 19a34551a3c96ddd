/**
 * One account with a row in every family that holds something of a person: what
 * a copy has of it, member by member, and what an erasure leaves of it. Both are
 * made of the list of families, so that a new one fails here until it is decided.
 */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, isoTime } from "../../../domain/day.ts";
import {
  FAMILY_ANSWERS,
  type FamilyAnswer,
} from "../../../domain/privacy/families.ts";
import { EXPORT_SECTIONS } from "../../../domain/privacy/export_document.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import type { Families } from "../../../domain/ports.ts";
import { requestExport } from "../../../domain/privacy/request_export.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { dump } from "../../../kv/dump.ts";
import { isExpired } from "../../../kv/refs.ts";
import { familyOf, tables } from "../../../kv/tables.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
} from "../../support/canary_account.ts";
import { saveCanaryRows } from "../../support/canary_rows.ts";
import { exportDocument } from "../../support/data_copies.ts";
import { askForErasure } from "../../support/erasures.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { saveSession } from "../../support/sessions.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

type Name = keyof Families;

const ANSWERS = Object.entries(FAMILY_ANSWERS) as [Name, FamilyAnswer][];

/** What the store calls each family of records. */
const STORED = new Map(
  ANSWERS.map(([name]) => [
    familyOf(tables[name].key as (...parts: never[]) => Deno.KvKey),
    name,
  ]),
);

/** Written by an erasure itself. */
const BY_ERASURE: readonly Name[] = ["erasedAccounts", "mailSuppressions"];

/** Families that are kept and still have a word of the account, and why. */
const KEPT_WORDS: Readonly<Record<string, string>> = {
  payouts: "the books: where a partner was paid",
  spotlights: "published: the ad, without the name of a person",
};

/** The account, with its day won and a row in every family. */
async function fullAccount(world: AuctionWorld): Promise<Advertiser> {
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const accountId = ada.account.id;
  const companyName = "Canary Person";
  const account = await fillWithCanaries(services, ada, { companyName });
  const bid = await world.bid(ada, 5_000);
  await sellDay(world);
  const { store } = services;
  const [grant] = await store.listGrants(accountId, { limit: 1 });
  const [invoice] = await store.listInvoices(accountId, { limit: 1 });
  await saveCanaryRows(services, {
    accountId,
    grantId: grant?.id ?? "",
    bidId: bid.id,
    invoiceId: invoice?.id ?? "",
    paymentId: invoice?.paymentId ?? "",
    nowMs: clock.now(),
  });
  await store.transact((tx) => {
    if (invoice) tx.invoices.save({ ...invoice, refundNote: CANARY });
  });
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestExport(services, asked);
  await fulfilRequests(services);
  return { ...ada, account };
}

type Row = [key: [family: string, ...unknown[]], value: unknown];

/** Every row of a store that has not expired. */
async function rowsOf(
  { testStore, clock }: Pick<AuctionWorld, "testStore" | "clock">,
): Promise<Row[]> {
  const backup = dump(testStore.realKv, { clock, keys: null });
  const text = await new Response(backup).text();
  return text.split("\n").slice(1, -2)
    .map((line): Row => JSON.parse(line))
    .filter(([, value]) => !isExpired(value, clock.now()));
}

async function assertGone(
  { testStore, clock }: Pick<AuctionWorld, "testStore" | "clock">,
): Promise<void> {
  const left = await familiesWith({ testStore, clock }, CANARY);
  assertEquals(left, Object.keys(KEPT_WORDS));
  for (const family of left) {
    const name = STORED.get(family);
    const answer = name && FAMILY_ANSWERS[name];
    assert(answer && "copy" in answer && answer.erasure !== "erased", family);
  }
  const ledger = await testStore.store.listLedger({ limit: 100 });
  const cents = ledger.flatMap(({ lines }) => lines)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  assertEquals([ledger.length > 0, cents], [true, 0]);
  const spotlight = await testStore.store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.advertiser, "Former advertiser");
}

Deno.test("of an account with a row in every family an erasure leaves no word outside the kept books, nor does a restore from before it", async () => {
  await using world = await openAuctionWorld();
  const { services, clock, testStore } = world;
  const { store } = services;
  const { account: { id: accountId } } = await fullAccount(world);
  const families = new Set((await rowsOf(world)).map(([[family]]) => family));
  const unfilled = ANSWERS.filter(([name, answer]) =>
    "copy" in answer && !BY_ERASURE.includes(name) &&
    ![...families].some((family) => STORED.get(family) === name)
  );
  assertEquals(unfilled.map(([name]) => name), [], "no row says anything");
  const silent = (await familiesWith(world, CANARY))
    .filter((family) => {
      const name = STORED.get(family);
      return name !== undefined && !("copy" in FAMILY_ANSWERS[name]);
    });
  assertEquals(silent, [], "it holds something of a person after all");
  const backup = await backupOf(world);
  await askForErasure(services, accountId);
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(accountId), null);
  await assertGone(world);
  const after = new Set((await rowsOf(world)).map(([[family]]) => family));
  for (const name of BY_ERASURE) {
    assert([...after].some((family) => STORED.get(family) === name), name);
  }
  await using into: TestStore = await openTestStore({ clock });
  await restoreInto(into, backup);
  const order = { acknowledged: [], erased: [accountId] };
  await releaseStore(gatedOver(world, into), order);
  assertEquals(await into.store.accounts.find(accountId), null);
  await assertGone({ testStore: into, clock });
  assert(testStore !== into);
});

/** Members that a copy does not have, and why: every other one it has. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "accountEvents.expiresAtMs": "30 days after it happened",
  "accountNotes.by": "which operator decided is not told",
  "accounts.identityStatus": "it is in the part about identity",
  "accounts.vatCheck.dueAtMs": "when a job looks again",
  "archiveTasks.state": "whether a document lies in the archive yet",
  "callbacks.url": "its path may be another agent's secret",
  "checkoutSessions.expiresAtMs": "30 days after its last change",
  "checkoutSessions.merchant": "our own account at the processor",
  "checkoutSessions.status": "told as it is by now",
  "creativeNotes.by": "which operator decided is not told",
  "credentials.passkeys.counter": "a part of what signs in",
  "credentials.passkeys.credentialId": "a part of what signs in",
  "credentials.passkeys.publicKey": "a part of what signs in",
  "dataRequests.exports.sections": "where in the copy its parts begin",
  "grants.client.authentication": "the application's, not the account's",
  "grants.lines": "hashes of tokens",
  "grants.refresh": "hashes of tokens",
  "invoices.customerId": "it is in the part about the account",
  "invoices.money": "told as the invoice's status",
  "outbox.dueAtMs": "when it is tried again",
  "outbox.expiresAtMs": "7 days after it was written",
  "outbox.html": "a mail that waits may have a code that signs in",
  "outbox.id": "ours alone",
  "outbox.kind": "told by its subject",
  "outbox.state": "told by when it was sent",
  "outbox.text": "a mail that waits may have a code that signs in",
  "referralLinks.state": "told by when it ended",
  "sessions.bindingId": "a part of what signs in",
  "sessions.hash": "a part of what signs in",
  "spotlights.contentType": "what an account won is always paid for",
  "statements.takenBackCents": "single amounts are the advertisers'",
};

Deno.test("every part of a copy is of a family that says so, and the other way round", () => {
  const said = ANSWERS.flatMap(([, answer]) =>
    "copy" in answer && answer.copy !== null ? [answer.copy] : []
  );
  assertEquals(
    [...new Set(said)].toSorted(),
    Object.keys(EXPORT_SECTIONS).toSorted(),
  );
});

/** Each text and number of a row, with the members that lead to it. */
function leavesOf(value: unknown, path: string): [string, string | number][] {
  if (typeof value === "string" || typeof value === "number") {
    return [[path, value]];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, Array.isArray(value) ? path : `${path}.${name}`)
  );
}

/** How a copy writes a text or a number: moments are written out. */
function writtenAs(leaf: string | number): string[] {
  if (typeof leaf === "string") return [JSON.stringify(leaf).slice(1, -1)];
  const isMoment = leaf > 1e12;
  return isMoment ? [isoTime(leaf), String(leaf)] : [String(leaf)];
}

Deno.test("a copy has every member of every row that its family says it has, but for those that are named here", async () => {
  await using world = await openAuctionWorld();
  const { account: { id: accountId, email } } = await fullAccount(world);
  const document = await exportDocument(world.services, { accountId, email });
  const missing = new Set<string>();
  const used = new Set<string>();
  for (const [[family], value] of await rowsOf(world)) {
    const name = STORED.get(family);
    const answer = name && FAMILY_ANSWERS[name];
    if (!answer || !("copy" in answer) || answer.copy === null) continue;
    const text = JSON.stringify(document[answer.copy]);
    for (const [path, leaf] of leavesOf(value, name)) {
      // The account's own id is said once.
      if (leaf === accountId) continue;
      if (writtenAs(leaf).some((written) => text.includes(written))) continue;
      const reason = Object.keys(LEFT_OUT).find((each) =>
        path === each || path.startsWith(`${each}.`)
      );
      if (reason === undefined) missing.add(path);
      else used.add(reason);
    }
  }
  assertEquals([...missing].toSorted(), []);
  assertEquals(Object.keys(LEFT_OUT).filter((each) => !used.has(each)), []);
});
