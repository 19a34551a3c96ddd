import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { JOBS } from "../../../cron/jobs.ts";
import { addDays } from "../../../domain/day.ts";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { WEBHOOK_RECEIVER } from "../../../domain/alerts/webhook_mailer.ts";
import { deliverMails } from "../../../domain/mail/deliver_mails.ts";
import type { Job } from "../../../domain/operations/run_job.ts";
import type { Services } from "../../../domain/ports.ts";
import { jobRun, settlement } from "../../kv/records.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { troubledEvent } from "../../support/troubled_event.ts";

const DAY = dayText("2026-11-19");
const HOUR_MS = 3_600_000;

const JOB: Job = {
  name: "sweep",
  schedule: "* * * * *",
  lateAfterMs: HOUR_MS,
  onHold: "waits",
  run: () => Promise.resolve(),
};

/** A world in which nothing wants anybody, before the daily mail. */
async function openQuiet() {
  const world = await openBiddingWorld();
  world.clock.set("2026-11-20T01:00:00.000Z");
  const { store } = world.services;
  await store.transact((tx) => {
    tx.jobRuns.save(jobRun(JOB.name, world.clock.now()));
    tx.calendar.save({ launchDay: DAY, settledThroughDay: DAY });
    return Promise.resolve();
  });
  return world;
}

async function subjectsOf({ store }: Services, to = "operator@example.com") {
  const mails = await store.listMails({ limit: 500 });
  return mails.filter((mail) => mail.to === to).map(({ subject }) => subject);
}

/** How each kind of trouble comes, and goes. */
const TROUBLES: readonly {
  subject: string;
  begin(services: Services): Promise<void>;
  end(services: Services): Promise<void>;
}[] = [
  {
    subject: "A day has not settled: 2026-11-19",
    begin: ({ store }) =>
      store.transact((tx) => tx.settlements.save(settlement(DAY))),
    end: ({ store }) =>
      store.transact(async (tx) => {
        const found = await tx.settlements.find(DAY);
        assert(found !== null);
        tx.settlements.save({ ...found, state: "settled" });
      }),
  },
  {
    subject: "The books differ: 2026-11-19",
    begin: (services) => saveComparison(services, 1),
    end: (services) => saveComparison(services, 0),
  },
  {
    subject: "A refund failed: SPOT-7",
    begin: (services) => saveRefund(services, "refund_failed"),
    end: (services) => saveRefund(services, "refunded"),
  },
  {
    subject: "A refund waits for another operator: 2026-11-19",
    begin: ({ store, clock }) =>
      store.transact((tx) => tx.refundRequests.save(request(clock.now()))),
    end: ({ store, clock }) =>
      store.transact((tx) => tx.refundRequests.remove(request(clock.now()))),
  },
  {
    subject: "An ad waits to be reviewed",
    begin: (services) => saveAd(services, "submitted"),
    end: (services) => saveAd(services, "approved"),
  },
  {
    subject: "Events of the processor are stuck",
    begin: ({ store, clock }) =>
      store.transact((tx) =>
        tx.webhookEvents.save(troubledEvent("evt_1", clock.now()))
      ),
    end: ({ store, clock }) =>
      store.transact(async (tx) => {
        await tx.webhookEvents.find("evt_1");
        const event = troubledEvent("evt_1", clock.now());
        tx.webhookEvents.save({ ...event, state: "done" });
      }),
  },
  {
    subject: "A background job is stuck: sweep",
    begin: ({ store, clock }) =>
      store.transact((tx) =>
        tx.jobRuns.save(jobRun(JOB.name, clock.now() - HOUR_MS - 1))
      ),
    end: ({ store, clock }) =>
      store.transact((tx) => tx.jobRuns.save(jobRun(JOB.name, clock.now()))),
  },
];

function request(nowMs: number) {
  return {
    day: DAY,
    invoiceId: "in_1",
    by: { kind: "key", name: "night" } as const,
    note: "goodwill",
    atMs: nowMs,
    expiresAtMs: nowMs + 24 * HOUR_MS,
  };
}

async function saveComparison(
  { store }: Services,
  count: number,
  day = DAY,
) {
  await store.transact((tx) =>
    tx.reconciliations.save({
      day,
      ranAtMs: 0,
      movements: 1,
      entries: 1,
      invoices: 1,
      differences: Array.from({ length: count }, () => ({
        kind: "not_archived" as const,
        number: "SPOT-1",
      })),
      moreDifferences: 0,
    })
  );
}

async function saveRefund(
  { store }: Services,
  money: "refund_failed" | "refunded",
) {
  const invoice = invoiceOf("acc_1", "SPOT-7", { money });
  await store.transact(async (tx) => {
    await tx.invoices.find(invoice.id);
    tx.invoices.save(invoice);
  });
}

async function saveAd(
  { store, clock }: Services,
  state: "submitted" | "approved",
) {
  await store.transact(async (tx) => {
    const found = await tx.creatives.find("acc_1", "ad_1");
    tx.creatives.save({
      ...found ?? {
        adId: "ad_1",
        accountId: "acc_1",
        headline: "Bread by bicycle",
        description: "Warm loaves at your door before eight, every day.",
        targetUrl: "https://bakery.example/",
        createdAtMs: 0,
        submittedAtMs: clock.now() - 12 * HOUR_MS,
      },
      state,
    });
  });
}

for (const { subject, begin, end } of TROUBLES) {
  Deno.test(`operators are told once, and once that it is over: ${subject}`, async () => {
    await using world = await openQuiet();
    const { services } = world;
    await sendAlerts(services, [JOB]);
    assertEquals(await subjectsOf(services), []);
    await begin(services);
    for (let nth = 0; nth < 3; nth++) await sendAlerts(services, [JOB]);
    assertEquals(await subjectsOf(services), [`Spotlight: ${subject}`]);
    await end(services);
    for (let nth = 0; nth < 3; nth++) await sendAlerts(services, [JOB]);
    assertEquals(await subjectsOf(services), [
      `Spotlight: ${subject}`,
      `Spotlight: Over: ${subject}`,
    ]);
    assertEquals(await services.store.listAlerts({ limit: 9 }), []);
  });
}

Deno.test("nothing is over because there is more by now than is listed", async () => {
  await using world = await openQuiet();
  const { services, clock } = world;
  const { store } = services;
  await saveComparison(services, 1);
  await saveRefund(services, "refund_failed");
  const [settled] = TROUBLES;
  await settled?.begin(services);
  await sendAlerts(services, [JOB]);
  const [told = "", ...others] = await subjectsOf(services);
  assertStringIncludes(told, "(and 2 more)");
  assertEquals(others, []);
  // A month of books that agree, and more of the rest than is listed.
  for (let nth = 1; nth <= 31; nth++) {
    const day = addDays(DAY, nth);
    await saveComparison(services, 0, day);
    await store.transact(async (tx) => {
      const number = `SPOT-0${String(nth).padStart(2, "0")}`;
      const failed = invoiceOf("acc_1", number, { money: "refund_failed" });
      const before = { ...failed, finalizedAtMs: failed.finalizedAtMs - nth };
      await tx.invoices.find(before.id);
      tx.invoices.save(before);
      tx.settlements.save(settlement(addDays(DAY, -nth)));
    });
  }
  clock.advance(31 * 24 * HOUR_MS);
  for (let nth = 0; nth < 2; nth++) await sendAlerts(services, []);
  const subjects = await subjectsOf(services);
  assertEquals(subjects.filter((each) => each.includes("Over")), []);
  const open = await store.listAlerts({ limit: 99 });
  const names = open.map(({ name }) => name);
  for (
    const name of [
      `books_differ:${DAY}`,
      `settlement_late:${DAY}`,
      "refund_failed:SPOT-7",
    ]
  ) assert(names.includes(name), name);
});

Deno.test("a processor that refuses is told once, and is over when it refused nothing for two hours", async () => {
  await using world = await openQuiet();
  let refusedMs: number | null = world.clock.now();
  const log = { ...world.services.log, lastErrorMs: () => refusedMs };
  const services: Services = { ...world.services, log };
  const name = "The processor refuses what it has no reason to";
  for (let nth = 0; nth < 3; nth++) await sendAlerts(services, []);
  assertEquals(await subjectsOf(services), [`Spotlight: ${name}`]);
  // Another process, which was refused nothing, does not call it off.
  refusedMs = null;
  world.clock.advance(HOUR_MS);
  await sendAlerts(services, []);
  assertEquals((await subjectsOf(services)).length, 1);
  world.clock.advance(HOUR_MS);
  await sendAlerts(services, []);
  assertEquals(
    (await subjectsOf(services)).at(-1),
    `Spotlight: Over: ${name}`,
  );
});

Deno.test("a processor that refuses is told within the minute, and looked for no longer than it refused lately", async () => {
  await using world = await openQuiet();
  const { clock } = world;
  const refusedMs = clock.now();
  const log = { ...world.services.log, lastErrorMs: () => refusedMs };
  const services: Services = { ...world.services, log };
  clock.advance(120_000);
  await JOBS.advanceAuctions.run(services);
  assertEquals(await subjectsOf(services), []);
  clock.advance(-1);
  await JOBS.advanceAuctions.run(services);
  assertEquals(await subjectsOf(services), [
    "Spotlight: The processor refuses what it has no reason to",
  ]);
});

Deno.test("every operator and the webhook are told, of many troubles in few mails", async () => {
  await using world = await openQuiet();
  const settings = {
    ...world.services.settings,
    operatorEmails: ["ada@example.com", "ben@example.com"],
    alertWebhookUrl: "https://chat.example/hook",
  };
  const services = { ...world.services, settings };
  for (const { begin } of TROUBLES) await begin(services);
  await sendAlerts(services, [JOB]);
  for (const to of ["ada@example.com", "ben@example.com", WEBHOOK_RECEIVER]) {
    const [subject, ...others] = await subjectsOf(services, to);
    assertEquals(others, []);
    assertStringIncludes(subject ?? "", "(and 6 more)");
  }
});

Deno.test("processes that look at once tell of a trouble once", async () => {
  await using world = await openQuiet();
  const { services } = world;
  await saveComparison(services, 1);
  await Promise.all(
    Array.from({ length: 4 }, () => sendAlerts(services, [JOB])),
  );
  assertEquals((await subjectsOf(services)).length, 1);
});

Deno.test("a crash at any commit tells of a trouble once all the same", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openQuiet();
    await saveComparison(world.services, 1);
    const doomed = world.testStore.another();
    doomed.kv.crashAt(point);
    const services = world.over(doomed.store);
    await sendAlerts(services, [JOB]).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    await sendAlerts(world.services, [JOB]);
    assertEquals((await subjectsOf(world.services)).length, 1);
    return doomed.kv.dead;
  });
  assert(points >= 2, `${points} points`);
});

Deno.test("operators are mailed every morning of the day before and of what waits, once", async () => {
  await using world = await openQuiet();
  const { services, clock } = world;
  await saveAd(services, "submitted");
  await services.store.transact((tx) =>
    tx.settlements.save({ ...settlement(DAY), createdAtMs: clock.now() })
  );
  clock.set("2026-11-20T05:59:59.999Z");
  await sendAlerts(services, []);
  const alerts = await subjectsOf(services);
  clock.set("2026-11-20T06:00:00.000Z");
  for (let nth = 0; nth < 3; nth++) await sendAlerts(services, []);
  clock.set("2026-11-20T23:00:00.000Z");
  await sendAlerts(services, []);
  const today = "Spotlight on 2026-11-19: it has not settled";
  assertEquals(await subjectsOf(services), [...alerts, today]);
  const mails = await services.store.listMails({ limit: 9 });
  assertStringIncludes(mails.at(-1)?.text ?? "", "Ads to review");
  clock.set("2026-11-21T06:00:00.000Z");
  await sendAlerts(services, []);
  assertEquals((await subjectsOf(services)).length, alerts.length + 2);
});

Deno.test("operators are mailed no alarm about a day on which the service was away", async () => {
  await using world = await openQuiet();
  const { services, clock } = world;
  clock.set("2027-01-02T06:00:00.000Z");
  await sendAlerts(services, []);
  const subjects = await subjectsOf(services);
  assertEquals(subjects.at(-1), "Spotlight on 2027-01-01: it was not held");
});

Deno.test("an alert names no amount", async () => {
  await using world = await openQuiet();
  const { services } = world;
  for (const { begin } of TROUBLES) await begin(services);
  await sendAlerts(services, [JOB]);
  const mails = await services.store.listMails({ limit: 9 });
  for (const { subject, text } of mails) {
    assert(!/EUR|\b121\b|12[.,]?100/.test(subject + text), subject);
  }
  await deliverMails(services);
});

Deno.test("no job is told to be stuck because the service was not running", async () => {
  await using world = await openQuiet();
  const { services, clock } = world;
  const telling = { ...JOB, name: "tell operators", lateAfterMs: 3 * HOUR_MS };
  const jobs = [JOB, telling];
  await sendAlerts(services, jobs);
  assertEquals(await subjectsOf(services), [], "it never ran");
  clock.advance(4 * HOUR_MS);
  const ran = (atMs: number) =>
    services.store.transact((tx) =>
      tx.jobRuns.save(jobRun(telling.name, atMs))
    );
  await ran(clock.now() - 91 * 60_000);
  await sendAlerts(services, jobs);
  assertEquals(await subjectsOf(services), [], "it was down");
  await ran(clock.now() - HOUR_MS);
  await sendAlerts(startedBefore(9), jobs);
  assertEquals(await subjectsOf(services), [], "the process is new");
  await sendAlerts(startedBefore(10), jobs);
  const stuck = ["Spotlight: A background job is stuck: sweep"];
  assertEquals(await subjectsOf(services), stuck);
  clock.advance(31 * 60_000);
  await sendAlerts(services, jobs);
  assertEquals(await subjectsOf(services), stuck, "down again, still stuck");
  await sendAlerts(startedBefore(1), jobs);
  assertEquals(await subjectsOf(services), stuck, "a start calls nothing off");

  function startedBefore(minutes: number): Services {
    const startedMs = clock.now() - minutes * 60_000;
    return { ...services, log: Object.assign(new MemoryLog(), { startedMs }) };
  }
});
