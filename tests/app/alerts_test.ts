/** Operators are told by the running service: over SMTP and to a chat. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Service } from "../../app/service.ts";
import { JOBS } from "../../cron/jobs.ts";
import { deliverMail } from "../../domain/mail/deliver_mail.ts";
import { saveMail } from "../../domain/mail/outbox_mail.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import { serveHttp } from "../adapters/fetcher/fetch_world.ts";
import { dayText } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";
import { startSmtpServer } from "../support/smtp_server.ts";

/** Waits until a mail was tried. */
async function onceTried({ core }: Service, id: string): Promise<void> {
  for (;;) {
    const mail = await core.services.store.outbox.find(id);
    if (mail === null || mail.attempts > 0 && mail.leaseOwner === null) return;
  }
}

Deno.test("a trouble reaches the operators' mailbox and the chat by itself", async () => {
  await using mail = await startSmtpServer();
  const posts: string[] = [];
  await using chat = await serveHttp(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    posts.push(body);
    response.end("ok");
  }, { tls: false });
  const running = await runService({
    env: {
      MAIL_URL: `smtp://localhost:${mail.port}`,
      OPERATOR_EMAILS: "ada@example.com",
      ALERT_WEBHOOK_URL: `http://127.0.0.1:${chat.port}/hook`,
    },
  });
  const { service } = running;
  const { services } = service.core;
  await services.store.transact((tx) =>
    tx.reconciliations.save({
      day: dayText("2026-11-19"),
      ranAtMs: 0,
      movements: 1,
      entries: 1,
      invoices: 1,
      differences: [{ kind: "not_archived", number: "SPOT-1" }],
      moreDifferences: 0,
    })
  );
  await runJob(services, JOBS.sendAlerts);
  for (const { id } of await services.store.listMails({ limit: 9 })) {
    await onceTried(service, id);
  }
  await service.stop();
  const told = mail.mails.find(({ data }) => data.includes("books differ"));
  assertEquals(told?.to, ["ada@example.com"]);
  const alert = posts.find((body) => body.includes("books differ")) ?? "{}";
  assertEquals(Object.keys(JSON.parse(alert)), ["text"]);
  assertStringIncludes(alert, "2026-11-19");
  assert(posts.every((body) => !body.includes("EUR")), "no amount");
});

Deno.test("a mail server that is away is told to the chat", async () => {
  const posts: string[] = [];
  const { promise: posted, resolve } = Promise.withResolvers<void>();
  await using chat = await serveHttp(async (request, response) => {
    for await (const part of request) posts.push(String(part));
    response.end("ok");
    resolve();
  }, { tls: false });
  await using running = await runService({
    env: {
      // Nobody listens there.
      MAIL_URL: "smtp://localhost:1",
      OPERATOR_EMAILS: "ada@example.com",
      ALERT_WEBHOOK_URL: `http://127.0.0.1:${chat.port}/hook`,
    },
  });
  const { services } = running.service.core;
  const mail = { to: "ben@example.com", subject: "S", text: "" };
  const writtenMs = Date.now() - 3_600_000;
  await services.store.transact((tx) => {
    saveMail(tx, "mail_1", mail, writtenMs);
    return Promise.resolve();
  });
  await deliverMail(services, { mailId: "mail_1" });
  await runJob(services, JOBS.sendAlerts);
  await posted;
  assertStringIncludes(posts[0] ?? "", "The mail server takes no mail");
});
