import { assert, assertEquals } from "@std/assert";
import { newAccount } from "../../domain/accounts/new_account.ts";
import { verifyVat } from "../../domain/accounts/verify_vat.ts";
import { saveMail } from "../../domain/mail/outbox_mail.ts";
import type { Service } from "../../app/service.ts";
import { runService } from "../support/running_service.ts";
import { type SmtpBehaviour, startSmtpServer } from "../support/smtp_server.ts";

/** Puts a mail into the outbox, as verbs do. */
async function queue({ core }: Service): Promise<string> {
  const { store, ids, clock } = core.services;
  const id = ids.next("mail");
  await store.transact((tx) =>
    saveMail(tx, id, {
      to: "ada@example.com",
      subject: "Sign in",
      text: "Your code is 123456",
    }, clock.now())
  );
  return id;
}

/** The state of a mail once it was tried. */
async function stateOnceTried({ core }: Service, id: string): Promise<string> {
  for (;;) {
    const mail = await core.services.store.outbox.find(id);
    if (mail === null) return "gone";
    if (mail.attempts > 0 && mail.leaseOwner === null) return mail.state;
  }
}

const OUTCOMES: [string, SmtpBehaviour, string][] = [
  ["takes it", {}, "sent"],
  [
    "is busy",
    { replies: { RCPT: "450 Later for ada@example.com" } },
    "waiting",
  ],
  ["refuses it", { replies: { RCPT: "550 No ada@example.com" } }, "given_up"],
];
for (const [what, behaviour, state] of OUTCOMES) {
  Deno.test(`the service submits a mail at once to a server that ${what}`, async () => {
    await using server = await startSmtpServer(behaviour);
    const running = await runService({
      env: { MAIL_URL: `smtp://localhost:${server.port}` },
    });
    const { service } = running;
    const id = await queue(service);
    assertEquals(await stateOnceTried(service, id), state);
    await service.stop();
    assertEquals(server.mails.length, state === "sent" ? 1 : 0);
    const log = running.logged();
    assert(log.includes(id), log);
    assert(!/ada@|123456/.test(log), log);
  });
}

Deno.test("the service stops at once though the mail server hangs", async () => {
  await using server = await startSmtpServer({ replies: { RCPT: "hang" } });
  const { service } = await runService({
    env: { MAIL_URL: `smtp://localhost:${server.port}` },
  });
  const reached = server.reached("RCPT");
  await queue(service);
  await reached;
  await service.stop();
  assertEquals(server.mails, []);
});

Deno.test("/dev/outbox shows the mail of a running service", async () => {
  await using running = await runService();
  const { service, config } = running;
  const id = await queue(service);
  assertEquals(await stateOnceTried(service, id), "sent");
  const response = await fetch(`${config.settings.baseUrl}/dev/outbox`, {
    headers: { accept: "application/json" },
  });
  const { mails } = await response.json();
  const [{ text, state }] = mails;
  assertEquals([mails.length, text, state], [1, "Your code is 123456", "sent"]);
});

Deno.test("a service in development checks VAT ids with the simulator", async () => {
  await using running = await runService();
  const { services } = running.service.core;
  const answerOf = async (vatId: string) => {
    const name = `co${vatId.slice(-3)}`;
    const account = newAccount(`acc_${name}`, `${name}@example.com`, 0);
    const address = { line1: "Weg 1", city: "Berlin", postalCode: "10115" };
    const company = { name: "Acme", country: "DE", vatId, address };
    await services.store.transact((tx) =>
      tx.accounts.save({ ...account, company })
    );
    const accountId = account.id;
    const { vatCheck } = await verifyVat(services, { accountId });
    return [vatCheck?.outcome, vatCheck?.name];
  };
  assertEquals(services.vatRegistry.read("de 123 456 789")?.country, "DE");
  assertEquals(await answerOf("DE123456789"), ["valid", null]);
  assertEquals(await answerOf("DE123456111"), [
    "valid",
    "MUSTERFIRMA GMBH",
  ]);
  assertEquals(await answerOf("DE123456200"), ["invalid", null]);
  assertEquals(await answerOf("DE123456301"), [null, undefined]);
  assert(!running.logged().includes("DE123"));
});
