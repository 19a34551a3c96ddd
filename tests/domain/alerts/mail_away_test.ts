/** A mail server that takes nothing: by mail alone nobody would hear of it. */
import { assertEquals } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { WEBHOOK_RECEIVER } from "../../../domain/alerts/webhook_mailer.ts";
import { MAIL_ATTEMPTS_MAX } from "../../../domain/mail/deliver_mail.ts";
import { type OutboxMail, saveMail } from "../../../domain/mail/outbox_mail.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";

const TOLD = "Spotlight: The mail server takes no mail";
const OVER = "Spotlight: Over: The mail server takes no mail";
const MINUTE_MS = 60_000;

/** A world with a chat for alerts, before the daily mail. */
async function openQuiet() {
  const world = await openBiddingWorld();
  const { clock, services: { store } } = world;
  clock.set("2026-11-20T01:00:00.000Z");
  const settings = {
    ...world.services.settings,
    alertWebhookUrl: "https://chat.example/hook",
  };
  const services = { ...world.services, settings };
  return {
    clock,
    look: () => sendAlerts(services, []),
    /** A mail that was written now, and what became of it. */
    async mail(id: string, changes: Partial<OutboxMail>): Promise<void> {
      const nowMs = clock.now();
      const fresh = { to: "zoe@example.com", subject: "S", text: "" };
      await store.transact((tx) => {
        const outbox = {
          save: (row: OutboxMail) => tx.outbox.save({ ...row, ...changes }),
        };
        saveMail({ outbox } as never, id, { ...fresh, ...changes }, nowMs);
        return Promise.resolve();
      });
    },
    async told(): Promise<string[]> {
      const mails = await store.listMails({ limit: 500 });
      return mails.filter(({ to }) => to === WEBHOOK_RECEIVER)
        .map(({ subject }) => subject);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("a mail server that takes nothing for half an hour is told once, and is over when it takes a mail", async () => {
  await using world = await openQuiet();
  const { clock, look, mail, told } = world;
  await mail("mail_1", { attempts: 3 });
  clock.advance(30 * MINUTE_MS - 1);
  await look();
  assertEquals(await told(), []);
  clock.advance(1);
  for (let nth = 0; nth < 2; nth++) await look();
  assertEquals(await told(), [TOLD]);
  await mail("mail_2", { state: "sent", sentAtMs: clock.now() });
  await look();
  assertEquals(await told(), [TOLD, OVER]);
});

Deno.test("a mail server that takes nothing is told still when mails were given up since, or are too many to look at", async () => {
  await using world = await openQuiet();
  const { clock, look, mail, told } = world;
  const tried = { attempts: MAIL_ATTEMPTS_MAX };
  await mail("mail_1", { ...tried, state: "given_up" });
  clock.advance(30 * MINUTE_MS);
  await look();
  for (let nth = 0; nth < 200; nth++) await mail(`mail_new${nth}`, {});
  await look();
  assertEquals(await told(), [TOLD]);
});

for (
  const [what, changes] of [
    ["was not tried yet", { attempts: 0 }],
    ["is refused for good", { state: "given_up", attempts: 1 }],
    ["is for the chat", { attempts: 3, to: WEBHOOK_RECEIVER }],
  ] as const
) {
  Deno.test(`a mail that ${what} says nothing of the mail server`, async () => {
    await using world = await openQuiet();
    const { clock, look, mail, told } = world;
    await mail("mail_1", changes);
    clock.advance(60 * MINUTE_MS);
    await look();
    assertEquals((await told()).filter((each) => each === TOLD), []);
  });
}

Deno.test("a mail that waits while others are taken says nothing of the mail server", async () => {
  await using world = await openQuiet();
  const { clock, look, mail, told } = world;
  await mail("mail_1", { attempts: 3 });
  await mail("mail_2", { state: "sent", sentAtMs: clock.now() + 1 });
  clock.advance(60 * MINUTE_MS);
  await look();
  assertEquals(await told(), []);
});

Deno.test("a mail server that takes nothing is told of by codes alone, which are given up sooner", async () => {
  await using world = await openQuiet();
  const { clock, look, mail, told } = world;
  const code = { kind: "sign_in", state: "given_up" } as const;
  await mail("mail_refused", { ...code, attempts: 1 });
  clock.advance(30 * MINUTE_MS);
  await look();
  assertEquals(await told(), []);
  await mail("mail_untaken", { ...code, attempts: 3 });
  clock.advance(30 * MINUTE_MS);
  await look();
  assertEquals(await told(), [TOLD]);
});
