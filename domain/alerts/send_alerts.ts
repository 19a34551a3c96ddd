/**
 * Telling operators: once of each trouble, once when it is over, and every
 * morning of the day before. Rows and mails are in one commit, so that nothing is
 * told twice by processes that look at once, and nothing is lost.
 *
 * @module
 */
import { addDays, dayOf, startOfDayMs } from "../day.ts";
import { groupsOf } from "../groups.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Job } from "../operations/run_job.ts";
import type { Services, Settings, Transaction } from "../ports.ts";
import { type Alert, alertName, ALERTS, type Trouble } from "./alert.ts";
import { alertMail, dailyMail } from "./alert_mails.ts";
import { findTroubles } from "./find_troubles.ts";
import { readDaily } from "./read_daily.ts";
import { WEBHOOK_RECEIVER } from "./webhook_mailer.ts";

/** Alerts that are open at a time. */
const ALERTS_MAX = 200;
/** Changes in one commit, each of which it checks. */
const TOGETHER = 8;
/** That an alert was seen again is written so often at most. */
const SEEN_EVERY_MS = 30 * 60_000;
/** When the daily mail is sent, after the midnight of UTC. */
const DAILY_AT_MS = 6 * 3_600_000;

type AlertServices = Pick<
  Services,
  "store" | "clock" | "ids" | "log" | "settings"
>;

/** What became of a trouble since the last look. */
type News = { trouble: Trouble; is: "begun" | "seen" | "over" };

/** Compares how things stand with what operators know, and sends them what changed. */
export async function sendAlerts(
  services: AlertServices,
  jobs: readonly Job[],
): Promise<void> {
  const { store, clock } = services;
  const rows = await store.listAlerts({ limit: ALERTS_MAX });
  const told = rows.flatMap(({ trouble }) => trouble ?? []);
  const found = await findTroubles(services, jobs, told);
  const news = newsOf(found, rows, clock.now());
  for (const some of groupsOf(news, TOGETHER)) await saveAlerts(services, some);
  await sendDailyReport(services, rows, found);
}

/** Sends operators one trouble that cannot wait for the next comparison, once. */
export async function sendAlert(
  services: AlertServices,
  trouble: Trouble,
): Promise<void> {
  await saveAlerts(services, [{ trouble, is: "begun" }]);
}

function newsOf(
  found: readonly Trouble[],
  rows: readonly Alert[],
  nowMs: number,
): News[] {
  const open = new Map(rows.map((row) => [row.name, row]));
  const present = new Set(found.map(alertName));
  const here = found.flatMap((trouble): News[] => {
    const row = open.get(alertName(trouble));
    if (row === undefined) return [{ trouble, is: "begun" }];
    const isOld = nowMs - row.seenMs >= SEEN_EVERY_MS;
    return isOld && hasGrace(trouble) ? [{ trouble, is: "seen" }] : [];
  });
  const gone = rows.flatMap(({ name, trouble, seenMs }): News[] => {
    if (trouble === null || present.has(name)) return [];
    const isOver = nowMs - seenMs >= ALERTS[trouble.kind].overAfterMs;
    return isOver ? [{ trouble, is: "over" }] : [];
  });
  return [...here, ...gone];
}

function hasGrace({ kind }: Trouble): boolean {
  return ALERTS[kind].overAfterMs > 0;
}

/** Writes down some news, and the mails about what is news still. */
async function saveAlerts(
  services: AlertServices,
  some: readonly News[],
): Promise<void> {
  const { store, clock, ids, settings } = services;
  const receivers = receiversOf(settings).map((to) => ({
    to,
    mailId: ids.next("mail"), // outside: attempts share it
  }));
  await store.transact(async (tx) => {
    const nowMs = clock.now();
    const rows = await tx.getMany(
      some.map(({ trouble }) => tx.alerts.ref(alertName(trouble))),
    );
    const news = some.filter(({ is }, nth) =>
      is === "begun" ? rows[nth] === null : rows[nth] !== null
    );
    for (const each of news) saveNews(tx, each, rows, nowMs);
    const begun = troublesOf(news, "begun");
    const over = troublesOf(news, "over");
    if (begun.length + over.length === 0) return;
    for (const { to, mailId } of receivers) {
      const content = alertMail(settings, to, { begun, over });
      queueMail(tx, { mailId, accountId: null, content }, nowMs);
    }
  });
}

function saveNews(
  tx: Transaction,
  { trouble, is }: News,
  rows: readonly (Alert | null)[],
  nowMs: number,
): void {
  const name = alertName(trouble);
  const row = rows.find((each) => each?.name === name) ??
    { name, trouble, sinceMs: nowMs, seenMs: nowMs };
  if (is === "over") tx.alerts.remove(row);
  else tx.alerts.save({ ...row, seenMs: nowMs });
}

function troublesOf(news: readonly News[], wanted: News["is"]): Trouble[] {
  return news.filter(({ is }) => is === wanted).map(({ trouble }) => trouble);
}

/** Every operator, and the webhook where there is one. */
export function receiversOf(
  { operatorEmails, alertWebhookUrl }: Pick<
    Settings,
    "operatorEmails" | "alertWebhookUrl"
  >,
): string[] {
  return [
    ...operatorEmails,
    ...alertWebhookUrl === null ? [] : [WEBHOOK_RECEIVER],
  ];
}

/**
 * Tells of yesterday, once, from the morning on. Of a day before the service
 * began there is nothing to tell; demo data make it begin earlier.
 */
async function sendDailyReport(
  services: AlertServices,
  rows: readonly Alert[],
  troubles: readonly Trouble[],
): Promise<void> {
  const { store, clock, ids, settings } = services;
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const name = `daily:${today}`;
  const isEarly = nowMs < startOfDayMs(today) + DAILY_AT_MS;
  if (isEarly || rows.some((row) => row.name === name)) return;
  const yesterday = addDays(today, -1);
  const calendar = await store.calendar.find();
  if (calendar === null || yesterday < calendar.launchDay) return;
  const report = await readDaily(services, yesterday, troubles);
  const mails = receiversOf(settings).map((
    to,
  ): [string, MailContent<"operator_daily">] => [
    ids.next("mail"),
    dailyMail(settings, to, report),
  ]);
  const before = rows.filter((row) => row.trouble === null);
  await store.transact(async (tx) => {
    if (await tx.alerts.find(name) !== null) return;
    before.forEach((row) => tx.alerts.remove(row));
    tx.alerts.save({ name, trouble: null, sinceMs: nowMs, seenMs: nowMs });
    for (const [mailId, content] of mails) {
      queueMail(tx, { mailId, accountId: null, content }, nowMs);
    }
  });
}
