import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  deliverMail,
  MAIL_ATTEMPTS_MAX,
  MAIL_LEASE_MS,
} from "../../../domain/mail/deliver_mail.ts";
import { MailRefused } from "../../../domain/mail/mailer.ts";
import { MAIL_KEPT_MS } from "../../../domain/mail/outbox_mail.ts";
import { CODE_MS } from "../../../domain/hold/has_code.ts";
import { Crash, everyCrashPoint } from "../../support/faults.ts";
import { openMailWorld } from "./mail_world.ts";

const unreachable = () =>
  Promise.reject(new Error("connect ECONNREFUSED for ada@example.com"));

Deno.test("deliverMail() sends a mail and forgets what it said", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue({ html: "<p>Your code is 123456</p>" });
  await deliverMail(world.services, { mailId });
  assertEquals(world.mailer.taken.map(({ text, html }) => [text, html]), [
    ["Your code is 123456", "<p>Your code is 123456</p>"],
  ]);
  const mail = await world.mail(mailId);
  assertEquals(mail.state, "sent");
  assertEquals(mail.sentAtMs, world.clock.now());
  assertEquals([mail.text, mail.html, mail.leaseOwner], ["", undefined, null]);
});

Deno.test("deliverMail() keeps the text where the outbox is all there is", async () => {
  await using world = await openMailWorld();
  world.mailer.keepsText = true;
  const mailId = await world.queue();
  await deliverMail(world.services, { mailId });
  const mail = await world.mail(mailId);
  assertEquals([mail.state, mail.text], ["sent", "Your code is 123456"]);
});

Deno.test("deliverMail() sends a mail once however often it is asked", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  for (let count = 0; count < 3; count++) {
    await deliverMail(world.services, { mailId });
    world.clock.advance(2 * MAIL_LEASE_MS);
  }
  assertEquals(world.mailer.taken.length, 1);
});

Deno.test("deliverMail() lets one of many isolates send", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  const isolates = Array.from({ length: 8 }, () => world.another());
  await Promise.all(
    isolates.map(({ services }) => deliverMail(services, { mailId })),
  );
  const sent = isolates.flatMap(({ mailer }) => mailer.taken);
  assertEquals(sent.length, 1);
  assertEquals((await world.mail(mailId)).attempts, 1);
});

Deno.test("deliverMail() leaves a mail alone until its lease has ended", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  world.mailer.instead = () => {
    begun.resolve();
    return slow.promise;
  };
  const sending = deliverMail(world.services, { mailId });
  await begun.promise;
  const other = world.another();
  world.clock.advance(MAIL_LEASE_MS - 1);
  await deliverMail(other.services, { mailId });
  assertEquals(other.mailer.taken.length, 0);
  world.clock.advance(1);
  await deliverMail(other.services, { mailId });
  assertEquals(other.mailer.taken.length, 1);
  slow.resolve();
  await sending;
  assertEquals((await world.mail(mailId)).state, "sent");
});

Deno.test("deliverMail() records no failure of a lease that is another's", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  world.mailer.instead = () => {
    begun.resolve();
    return slow.promise;
  };
  const sending = deliverMail(world.services, { mailId });
  await begun.promise;
  world.clock.advance(MAIL_LEASE_MS);
  const other = world.another();
  other.mailer.instead = async () => {
    slow.reject(new MailRefused(550));
    await sending;
    assertEquals((await world.mail(mailId)).state, "waiting");
  };
  await deliverMail(other.services, { mailId });
  assertEquals((await world.mail(mailId)).state, "sent");
});

Deno.test("deliverMail() tries 8 times in about a day, then gives up", async () => {
  await using world = await openMailWorld();
  world.mailer.instead = unreachable;
  const mailId = await world.queue();
  const begun = world.clock.now();
  const attemptsAtMs: number[] = [];
  for (;;) {
    attemptsAtMs.push(world.clock.now() - begun);
    await deliverMail(world.services, { mailId });
    const mail = await world.mail(mailId);
    if (mail.state !== "waiting") break;
    world.clock.set(mail.dueAtMs - 1);
    await deliverMail(world.services, { mailId });
    assertEquals((await world.mail(mailId)).attempts, mail.attempts, "early");
    world.clock.set(mail.dueAtMs);
  }
  const minutes = attemptsAtMs.map((ms) => ms / 60_000);
  assertEquals(minutes, [0, 1, 6, 21, 81, 261, 741, 1461]);
  assertEquals(MAIL_ATTEMPTS_MAX, minutes.length);
  const mail = await world.mail(mailId);
  assertEquals([mail.state, mail.text], ["given_up", ""]);
});

Deno.test("deliverMail() tries a mail with a code while that can be given, and then gives up", async () => {
  await using world = await openMailWorld();
  world.mailer.instead = unreachable;
  for (const kind of ["sign_in", "email_change"] as const) {
    const begun = world.clock.now();
    const mailId = await world.queue({ kind });
    const attemptsAtMs: number[] = [];
    while ((await world.mail(mailId)).state === "waiting") {
      attemptsAtMs.push(world.clock.now() - begun);
      await deliverMail(world.services, { mailId });
      world.clock.set((await world.mail(mailId)).dueAtMs);
    }
    assertEquals(attemptsAtMs.map((ms) => ms / 60_000), [0, 1, 6]);
    const { state, text } = await world.mail(mailId);
    assertEquals([state, text], ["given_up", ""]);
    assert(world.log.events.includes("mail.given_up"));
  }
});

Deno.test("deliverMail() sends no code that has run out while nobody delivered mails", async () => {
  await using world = await openMailWorld();
  const inTime = await world.queue({ kind: "sign_in" });
  world.clock.advance(CODE_MS - 1);
  await deliverMail(world.services, { mailId: inTime });
  const late = await world.queue({ kind: "sign_in" });
  const other = await world.queue({ kind: "bid_won" });
  world.clock.advance(CODE_MS);
  await deliverMail(world.services, { mailId: late });
  await deliverMail(world.services, { mailId: other });
  assertEquals(world.mailer.taken.map(({ id }) => id), [inTime, other]);
  const { state, text } = await world.mail(late);
  assertEquals([state, text], ["given_up", ""]);
});

Deno.test("deliverMail() gives up at once on a mail that is refused", async () => {
  await using world = await openMailWorld();
  world.mailer.instead = () => Promise.reject(new MailRefused(550));
  const mailId = await world.queue();
  await deliverMail(world.services, { mailId });
  const mail = await world.mail(mailId);
  assertEquals([mail.state, mail.attempts, mail.text], ["given_up", 1, ""]);
});

Deno.test("deliverMail() counts attempts whose process died", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  for (let count = 0; count < MAIL_ATTEMPTS_MAX; count++) {
    const { services, kv, mailer } = world.another();
    kv.crashAt({ commit: 2, when: "before" });
    await assertRejects(() => deliverMail(services, { mailId }));
    assertEquals(mailer.taken.length, 1);
    world.clock.advance(MAIL_LEASE_MS);
  }
  await deliverMail(world.services, { mailId });
  assertEquals(world.mailer.taken.length, 0);
  assertEquals((await world.mail(mailId)).state, "given_up");
});

Deno.test("deliverMail() sends at least once and at most twice over a crash", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openMailWorld();
    const mailId = await world.queue();
    const { services, kv, mailer } = world.another();
    kv.crashAt(point);
    await deliverMail(services, { mailId }).catch((error) => {
      if (!kv.wentWrong) throw error;
    });
    world.clock.advance(MAIL_LEASE_MS);
    await deliverMail(world.services, { mailId });
    const taken = [...mailer.taken, ...world.mailer.taken];
    assert(taken.length === 1 || taken.length === 2 && kv.wentWrong);
    assertEquals(new Set(taken.map(({ id }) => id)), new Set([mailId]));
    assertEquals((await world.mail(mailId)).state, "sent");
    return kv.dead;
  });
  assertEquals(points, 4);
});

Deno.test("deliverMail() throws a crash on", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  const { services, kv } = world.another();
  kv.crashAt({ commit: 1, when: "before" });
  const error = await assertRejects(
    () => deliverMail(services, { mailId }),
    Error,
  );
  assert(error.cause instanceof Crash);
});

Deno.test("deliverMail() takes an unknown or expired mail for nothing to do", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  world.clock.advance(MAIL_KEPT_MS);
  await deliverMail(world.services, { mailId });
  await deliverMail(world.services, { mailId: "mail_none" });
  assertEquals(world.mailer.taken, []);
});

Deno.test("deliverMail() logs neither address nor text", async () => {
  await using world = await openMailWorld();
  const sent = await world.queue();
  await deliverMail(world.services, { mailId: sent });
  const refused = await world.queue();
  world.mailer.instead = () => Promise.reject(new MailRefused(550));
  await deliverMail(world.services, { mailId: refused });
  const failed = await world.queue();
  world.mailer.instead = unreachable;
  await deliverMail(world.services, { mailId: failed });
  assertEquals(world.log.lines, [
    `{"event":"mail.sent","mail":"${sent}"}`,
    `{"event":"mail.given_up","mail":"${refused}","attempts":1,"why":550}`,
    `{"event":"mail.failed","mail":"${failed}","attempts":1,"why":"unreachable"}`,
  ]);
});

Deno.test("L1: a mail that has left the service leaves no code in the store", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  await deliverMail(world.services, { mailId });
  const rows: string[] = [];
  for await (const { value } of world.testStore.realKv.list({ prefix: [] })) {
    rows.push(JSON.stringify(value));
  }
  assert(rows.length > 0 && !rows.join().includes("123456"), rows.join());
});
