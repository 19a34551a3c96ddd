import { assert, assertEquals } from "@std/assert";
import { CALLBACK_LEASE_MS } from "../../../domain/callbacks/callback.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  type Creative,
  isBiddable,
} from "../../../domain/creatives/creative.ts";
import { newArchiveTask } from "../../../domain/invoices/archive_task.ts";
import { type OutboxMail, saveMail } from "../../../domain/mail/outbox_mail.ts";
import { beginCharge } from "../../../domain/paid_metrics/charge.ts";
import { isLeased } from "../../../domain/paid_metrics/metrics_payment.ts";
import { monthOf } from "../../../domain/month.ts";
import { PAYOUT_LEASE_MS } from "../../../domain/partners/payout.ts";
import { REQUEST_LEASE_MS } from "../../../domain/privacy/data_requests.ts";
import type { DueWork, Transaction } from "../../../domain/ports.ts";
import { newWebhookEvent } from "../../../domain/webhooks/webhook_event.ts";
import { migrate } from "../../../kv/migrate.ts";
import { writeSchema } from "../../../kv/schema.ts";
import { ownModules, ROOT } from "../../../tools/own_modules.ts";
import { day } from "../../kv/records.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { openTestStore, testPatience } from "../../support/store.ts";

const AHEAD_MS = DAY_MS;
const DAY = day("2026-11-20");
/** More of them wait rightly than are looked at from the far end. */
const WAITING = 12;

/** Puts down a row that a worker has taken until then. */
type Lease = (tx: Transaction, id: string, untilMs: number) => void;

const LEASES: Record<
  string,
  { work: keyof DueWork; leaseMs: number; lease: Lease }
> = {
  "domain/callbacks/callback.ts": {
    work: "callbacks",
    leaseMs: CALLBACK_LEASE_MS,
    lease(tx, grantId, dueAtMs) {
      tx.callbacks.save({
        grantId,
        accountId: "acc_1",
        url: "https://agent.example/",
        secrets: [],
        off: null,
        position: 0,
        replays: [],
        dueAtMs,
        leaseOwner: "another",
        failures: 0,
        failingSinceMs: null,
        deliveries: [],
      });
    },
  },
  "domain/mail/outbox_mail.ts": {
    work: "mails",
    leaseMs: 60_000,
    lease(tx, id, untilMs) {
      const mail = { to: "a@example.com", subject: "", text: "" };
      const { outbox } = tx;
      const held = { attempts: 1, leaseOwner: "another" };
      const save = (queued: OutboxMail) => outbox.save({ ...queued, ...held });
      saveMail({ outbox: { ...outbox, save } }, id, mail, untilMs);
    },
  },
  "domain/webhooks/webhook_event.ts": {
    work: "events",
    leaseMs: 60_000,
    lease(tx, id, dueAtMs) {
      const event = { id, type: "invoice.paid", objectId: "in_1" };
      const told = { ...event, objectType: "invoice", createdAtMs: 0 };
      const held = { dueAtMs, attempts: 1, leaseOwner: "another" };
      tx.webhookEvents.save({ ...newWebhookEvent(told as never, 0), ...held });
    },
  },
  "domain/invoices/archive_task.ts": {
    work: "archiving",
    leaseMs: 180_000,
    lease(tx, number, dueAtMs) {
      const document = { number, kind: "invoice", documentId: number } as const;
      const task = newArchiveTask({ ...document, accountId: "acc_1" }, 0);
      tx.archiveTasks.save({ ...task, dueAtMs, leaseUntilMs: dueAtMs });
    },
  },
  "domain/invoices/invoice.ts": {
    work: "refunds",
    leaseMs: 90_000,
    lease(tx, number, dueAtMs) {
      const held = { dueAtMs, leaseUntilMs: dueAtMs, attempts: 1 };
      const money = "refunding";
      tx.invoices.save(invoiceOf("acc_1", number, { money, ...held }));
    },
  },
  "domain/partners/payout.ts": {
    work: "payouts",
    leaseMs: PAYOUT_LEASE_MS,
    lease(tx, id, untilMs) {
      tx.payouts.save({
        id,
        partnerId: `acc_${id}`,
        state: "sending",
        amountCents: 5_000,
        throughMonth: monthOf(0),
        afterMonth: null,
        requestedAtMs: 0,
        destination: "acct_1",
        transferId: null,
        paidAtMs: null,
        returnedCents: 0,
        dueAtMs: untilMs,
        attempts: 1,
        refusals: 0,
        trouble: null,
      });
    },
  },
  "domain/privacy/data_requests.ts": {
    work: "dataRequests",
    leaseMs: REQUEST_LEASE_MS,
    lease(tx, accountId, dueAtMs) {
      tx.dataRequests.save({
        accountId,
        exports: [],
        dueAtMs,
        leaseOwner: "another",
        failures: 0,
        expiresAtMs: null,
      });
    },
  },
  "domain/paid_metrics/metrics_payment.ts": {
    work: "payments",
    leaseMs: 45_000,
    lease(tx, id, untilMs) {
      const purchase = { id, channel: "checkout", day: DAY } as const;
      const begun = { ...purchase, token: "spt_1", keyHash: null };
      tx.metricsPayments.save(beginCharge(null, begun, untilMs - 45_000));
    },
  },
};

for (const { work, leaseMs, lease } of Object.values(LEASES)) {
  for (const waiting of [0, WAITING]) {
    Deno.test(`a lease of ${work} by a clock that was a day ahead is over at once, with ${waiting} that wait rightly`, async () => {
      await using test = await openTestStore();
      const { store, clock } = test;
      const now = clock.now();
      await store.transact((tx) => {
        lease(tx, "WRONG-1", now + AHEAD_MS + leaseMs);
        for (let n = 0; n < waiting; n++) lease(tx, `HELD-${n}`, now + leaseMs);
      });
      const due = async () =>
        (await store.listDue(work, clock.now(), { limit: 100 })).length;
      assertEquals(await due(), 1);
      clock.advance(leaseMs);
      assertEquals(await due(), 1 + waiting);
    });
  }
}

Deno.test("a payment that a clock a day ahead has leased may be charged, and one that is leased may not", () => {
  const now = 1_000_000;
  const purchase = { id: "p", channel: "checkout", day: DAY } as const;
  const begun = { ...purchase, token: "spt_1", keyHash: null };
  const ahead = beginCharge(null, begun, now + AHEAD_MS);
  assertEquals(isLeased(ahead, now), false);
  assertEquals(beginCharge(ahead, begun, now).attempts, 2);
  assertEquals(isLeased(beginCharge(null, begun, now), now), true);
});

Deno.test("a migration that a clock a day ahead has leased is gone on with", async () => {
  await using test = await openTestStore();
  const { realKv: kv, clock, store } = test;
  const leaseUntilMs = clock.now() + AHEAD_MS + 60_000;
  const migration = { to: 2, cursor: null, leaseUntilMs };
  const row = { version: 1, readableFrom: 1, migration };
  const patience = testPatience();
  await writeSchema(kv, { row, versionstamp: null }, patience);
  const step = () => Promise.resolve(null);
  const run = await migrate({
    kv,
    clock,
    store,
    patience,
    untilMs: Infinity,
    migrations: [{ to: 2, readableFrom: 1, step }],
  });
  assertEquals(run, { version: 2, state: "done" });
});

Deno.test("a creative that a clock a day ahead was archiving takes bids, and one that is being archived does not", () => {
  const now = 1_000_000;
  const marked = (untilMs: number) =>
    ({ state: "approved", archiving: { id: "m", untilMs } }) as Creative;
  assertEquals(isBiddable(marked(now + AHEAD_MS + 60_000), now), true);
  assertEquals(isBiddable(marked(now + 60_000), now), false);
});

/** Held by tests of their own: migrations here, the others beside their verbs. */
const OTHERS = [
  "domain/settlement/settlement.ts",
  "kv/backup_series.ts",
  "kv/schema.ts",
];

/** A row that says who has it, or until when. */
const LEASED_ROW = /^ {2}lease(UntilMs: number|Owner: string \| null);/m;
/** The rows of durable tasks, of which some are leased by their next turn alone. */
const TASK_ROW = /\b(?:TaskFamily|LeasedRows)<(?!Row\b)(\w+)/g;

Deno.test("every kind of row with a lease is held against a clock that was a day ahead", async () => {
  const paths = (await ownModules())
    .filter((path) => /^(domain|kv|routes|cron|app)\//.test(path));
  const sources = new Map<string, string>();
  const taskRows = new Set<string>();
  for (const path of paths) {
    const source = await Deno.readTextFile(`${ROOT}${path}`);
    sources.set(path, source);
    for (const [, row = ""] of source.matchAll(TASK_ROW)) taskRows.add(row);
  }
  assert(taskRows.has("Payout"));
  const found: string[] = [];
  const compared: string[] = [];
  for (const [path, source] of sources) {
    const isTask = [...source.matchAll(/^export interface (\w+)/gm)]
      .some(([, name = ""]) => taskRows.has(name));
    if (isTask || LEASED_ROW.test(source)) found.push(path);
    // Only isAhead() knows how far ahead a lease can be.
    if (/leaseUntilMs\s*[<>]|[<>]=?\s*[\w.]*leaseUntilMs\b/.test(source)) {
      compared.push(path);
    }
  }
  assertEquals(found.sort(), [...Object.keys(LEASES), ...OTHERS].sort());
  assertEquals(compared, []);
});
