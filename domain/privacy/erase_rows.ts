/**
 * Removes what an account's own rows hold. Each is removed in a commit that
 * checks it; what was removed before is not found again.
 *
 * @module
 */
import type { OperatorAct } from "../audit/operator_act.ts";
import type { Creative } from "../creatives/creative.ts";
import { everyRecord, untilNone } from "../every_record.ts";
import { groupsOf } from "../groups.ts";
import { everyInvoice } from "../invoices/every_invoice.ts";
import type { Grant } from "../oauth/grant.ts";
import { addMonths, monthOf, monthsBack } from "../month.ts";
import { emptiedPartner } from "../partners/partner.ts";
import { LINKS_MAX } from "../partners/limits.ts";
import type { Families, Services, Transaction } from "../ports.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import { PARTS_MAX, removeParts } from "./export_parts.ts";
import {
  everyCard,
  everyEvent,
  everyMailOf,
  type MailsOf,
} from "./own_records.ts";

type Reader = Pick<Services, "store">;

/** Rows without a reader of their own that one commit removes. */
const BLIND = 200;
/** Months in which sign-ups may have been counted: a hundred years. */
const MONTHS_MAX = 1_200;

/**
 * Everything under the account's id, but for the account and its requests. Of a
 * partner the row stays until the end, without words: it says what the processor
 * has still to delete.
 */
export async function eraseRows(
  services: Reader & Pick<Services, "clock">,
  { accountId }: { accountId: string },
): Promise<void> {
  await eraseAgents(services, accountId);
  await eraseAnswers(services, accountId);
  await eraseAds(services, accountId);
  await eraseCards(services, accountId);
  await eraseHistory(services, accountId);
  await emptyActs(services, accountId);
  await emptyRefundNotes(services, accountId);
  await eraseSessions(services, accountId);
  await eraseCopies(services, accountId);
  await eraseSingles(services, accountId);
  await eraseLinks(services, accountId);
  await emptyPartner(services, accountId);
}

/**
 * The mails of the last days. One of no account that was written after the moment
 * is not this account's: somebody may be signing up with its address since.
 */
export async function eraseMailsOf(
  services: Reader,
  whose: MailsOf,
  untilMs: number,
): Promise<void> {
  const ids: string[] = [];
  for await (const mail of everyMailOf(services, whose)) {
    const isOwn = mail.accountId === whose.accountId;
    if (isOwn || mail.createdAtMs <= untilMs) ids.push(mail.id);
  }
  await removeEach(services, "outbox", ids.map((id) => [id]));
}

/** The agents that were connected, and what was answered to them. */
async function eraseAgents(
  services: Reader,
  accountId: string,
): Promise<void> {
  const { store } = services;
  await untilNone(
    (limit) => store.listGrants(accountId, { limit }),
    async (grants) => {
      for (const grant of grants) {
        await eraseAnswers(services, grant.id);
        await eraseGrant(services, grant);
      }
    },
  );
}

function eraseGrant(
  { store }: Reader,
  { id, accountId, clientId }: Grant,
): Promise<void> {
  return store.transact(async (tx) => {
    const [grant, callback, connection] = await tx.getMany([
      tx.grants.ref(id),
      tx.callbacks.ref(id),
      tx.connections.ref(accountId, clientId),
    ]);
    if (callback !== null) tx.callbacks.remove(callback);
    if (connection?.grantId === id) tx.connections.remove(connection);
    if (grant !== null) tx.grants.remove(grant);
  });
}

/** The answers that are kept for repeated requests. */
async function eraseAnswers(services: Reader, owner: string): Promise<void> {
  const { store } = services;
  await untilNone(
    (limit) => store.listIdempotency(owner, { limit }),
    (records) =>
      removeEach(
        services,
        "idempotency",
        records.map(({ operation, key }) => [owner, operation, key]),
      ),
  );
}

/** Advertisements and their history. */
async function eraseAds(services: Reader, accountId: string): Promise<void> {
  const { store } = services;
  await untilNone(
    (limit) => store.listCreatives(accountId, { limit }),
    async (creatives) => {
      for (const creative of creatives) {
        await eraseNotesOf(services, creative);
        await emptyActs(services, creative.adId);
        await removeEach(services, "creatives", [[accountId, creative.adId]]);
      }
    },
  );
}

function eraseNotesOf({ store }: Reader, { adId }: Creative): Promise<void> {
  return untilNone(
    (limit) => store.listCreativeNotes(adId, { limit }),
    (notes) =>
      store.transact((tx) =>
        notes.forEach((note) => tx.creativeNotes.remove(note))
      ),
  );
}

async function eraseCards(services: Reader, accountId: string): Promise<void> {
  const cards = await everyCard(services, accountId);
  const ids = cards.map(({ id }) => id);
  await removeEach(services, "cardRemovals", ids.map((id) => [id]));
  await removeEach(
    services,
    "paymentMethods",
    ids.map((id) => [accountId, id]),
  );
}

/** What operators decided, and what agents were told of. */
async function eraseHistory(
  { store }: Reader,
  accountId: string,
): Promise<void> {
  await untilNone(
    (limit) => store.listAccountNotes(accountId, { limit }),
    (notes) =>
      store.transact((tx) =>
        notes.forEach((note) => tx.accountNotes.remove(note))
      ),
  );
  const events = await Array.fromAsync(everyEvent({ store }, accountId));
  for (const some of groupsOf(events, BLIND)) {
    await store.transact((tx) =>
      some.forEach((event) => tx.accountEvents.remove(event))
    );
  }
}

/**
 * Who did what, and when, stays; what was said of somebody goes: of the account,
 * of an ad, and of a day that it won, of which nothing is said but of its winner.
 */
export async function emptyActs(
  { store }: Reader,
  subject: string,
): Promise<void> {
  const of = { subject, person: null, fromMs: 0, untilMs: Infinity };
  const acts = everyRecord<OperatorAct>((before, limit) =>
    store.listOperatorActs(of, { limit, before })
  );
  for await (const { atMs, id, reason, change } of acts) {
    if (reason === null && change === null) continue;
    await store.transact(async (tx) => {
      const act = await tx.operatorActs.find(atMs, id);
      if (act === null) return;
      tx.operatorActs.save({ ...act, reason: null, change: null });
    });
  }
}

/** The books need the refund of an invoice, and not what an operator said of it. */
async function emptyRefundNotes(
  services: Reader,
  accountId: string,
): Promise<void> {
  for await (const { id, refundNote } of everyInvoice(services, accountId)) {
    if (refundNote === null) continue;
    await services.store.transact(async (tx) => {
      const invoice = await tx.invoices.find(id);
      if (invoice === null) return;
      tx.invoices.save({ ...invoice, refundNote: null });
    });
  }
}

function eraseSessions(services: Reader, accountId: string): Promise<void> {
  const { store } = services;
  return untilNone(
    (limit) => store.listSessions(accountId, { limit }),
    (found) => removeEach(services, "sessions", found.map((one) => [one.hash])),
  );
}

/** The documents of copies that were made. */
async function eraseCopies(
  services: Reader,
  accountId: string,
): Promise<void> {
  const requests = await services.store.dataRequests.find(accountId);
  for (const { id, readyAtMs, parts } of requests?.exports ?? []) {
    // An attempt that died has said of none how many there are.
    const written = readyAtMs === null ? PARTS_MAX : parts;
    await removeParts(services, { id, parts: written });
  }
}

/** What an account has one of. */
async function eraseSingles(
  services: Reader,
  accountId: string,
): Promise<void> {
  for (
    const family of [
      "wallets",
      "customerTasks",
      "identityChecks",
      "creativeShelves",
      "eventLogs",
    ] as const
  ) {
    await removeEach(services, family, [[accountId]]);
  }
}

/** A partner's links, and how many signed up by them, which they say since when. */
async function eraseLinks(
  services: Reader & Pick<Services, "clock">,
  accountId: string,
): Promise<void> {
  const { store, clock } = services;
  const limit = LINKS_MAX;
  const links = await store.listReferralLinks(accountId, { limit });
  if (links.length === 0) return;
  const sinceMs = Math.min(...links.map(({ createdAtMs }) => createdAtMs));
  // A clock that was ahead may have counted one for the month to come.
  const newest = addMonths(monthOf(clock.now()), 1);
  const months = monthsBack(newest, monthOf(sinceMs), MONTHS_MAX);
  for (const some of groupsOf(months, BLIND)) {
    await store.transact((tx) =>
      some.forEach((month) => tx.signUpCounts.remove(accountId, month))
    );
  }
  await removeEach(services, "referralLinks", links.map(({ code }) => [code]));
}

/** Leaves of a partner where it was paid, and since when it may have been. */
function emptyPartner({ store }: Reader, accountId: string): Promise<void> {
  return store.transact(async (tx) => {
    const partner = await tx.partners.find(accountId);
    if (partner !== null) tx.partners.save(emptiedPartner(partner));
  });
}

/** Removes rows by their ids, as many in a commit as it checks. */
async function removeEach<F extends keyof Families>(
  { store }: Reader,
  family: F,
  ids: readonly (readonly unknown[])[],
): Promise<void> {
  for (const some of groupsOf(ids, TRACKED_READS_MAX)) {
    await store.transact(async (tx) => {
      const table = tableIn(tx, family);
      const refs = some.map((id) => table.ref(...id));
      const rows = await tx.getMany(refs);
      for (const row of rows) if (row !== null) table.remove(row);
    });
  }
}

/** The family's own types, which its ids have to fit, are left out here. */
function tableIn(tx: Transaction, family: keyof Families) {
  return tx[family] as unknown as {
    ref(...id: readonly unknown[]): object;
    remove(row: unknown): void;
  };
}
