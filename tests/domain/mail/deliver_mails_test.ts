import { assertEquals } from "@std/assert";
import { MAIL_LEASE_MS } from "../../../domain/mail/deliver_mail.ts";
import {
  createMailPump,
  deliverMails,
  MAILS_PER_RUN,
} from "../../../domain/mail/deliver_mails.ts";
import { MAIL_KEPT_MS } from "../../../domain/mail/outbox_mail.ts";
import { createStore } from "../../../kv/store.ts";
import { keyOf } from "../../support/faults.ts";
import { openMailWorld } from "./mail_world.ts";

Deno.test("deliverMails() sends all that is due, longest due first", async () => {
  await using world = await openMailWorld();
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) {
    ids.unshift(await world.queue());
    world.clock.advance(-1_000);
  }
  world.clock.advance(60_000);
  await deliverMails(world.services);
  const taken = world.mailer.taken.map(({ id }) => id);
  assertEquals(taken.toSorted(), ids.toSorted());
  // Four are under way at the same time: a mail overtakes three at most.
  const overtaken = ids.map((id, turn) => turn - taken.indexOf(id));
  assertEquals(overtaken.filter((count) => count > 3), []);
});

Deno.test("deliverMails() leaves what is not due", async () => {
  await using world = await openMailWorld();
  const mailId = await world.queue();
  world.clock.advance(-1);
  await deliverMails(world.services);
  assertEquals(world.mailer.taken, []);
  world.clock.advance(1);
  await deliverMails(world.services);
  assertEquals(world.mailer.taken.map(({ id }) => id), [mailId]);
});

Deno.test("deliverMails() goes on after a mail that can't be recorded", async () => {
  await using world = await openMailWorld();
  for (let count = 0; count < 6; count++) await world.queue();
  const { services, mailer } = world.another([
    { on: "commit", key: keyOf("outbox"), fault: { kind: "fail_before" } },
  ]);
  await deliverMails(services);
  assertEquals(mailer.taken.length, 5);
  assertEquals(
    world.log.lines.filter((line) => line.includes("mail.unrecorded")).length,
    1,
  );
  await deliverMails(world.services);
  assertEquals(world.mailer.taken.length, 1);
});

Deno.test("deliverMails() does a bounded part and the next run goes on", async () => {
  await using world = await openMailWorld();
  for (let count = 0; count < MAILS_PER_RUN + 1; count++) await world.queue();
  await deliverMails(world.services);
  assertEquals(world.mailer.taken.length, MAILS_PER_RUN);
  await deliverMails(world.services);
  assertEquals(world.mailer.taken.length, MAILS_PER_RUN + 1);
});

Deno.test("deliverMails() begins no mail once its time is over", async () => {
  await using world = await openMailWorld();
  for (let count = 0; count < 20; count++) await world.queue();
  world.mailer.instead = () => world.clock.advance(46_000);
  await deliverMails(world.services);
  const sent = world.log.lines.filter((line) => line.includes("mail.sent"));
  // One a lane.
  assertEquals(sent.length, 4);
});

Deno.test("deliverMails() in two isolates sends each mail once", async () => {
  await using world = await openMailWorld();
  const ids: string[] = [];
  for (let count = 0; count < 40; count++) ids.push(await world.queue());
  const isolates = [world.another(), world.another(), world.another()];
  await Promise.all(isolates.map(({ services }) => deliverMails(services)));
  const taken = isolates.flatMap(({ mailer }) => mailer.taken);
  assertEquals(taken.map(({ id }) => id).toSorted(), ids.toSorted());
});

Deno.test("the index of waiting mails holds nothing that is over", async () => {
  await using world = await openMailWorld();
  const sent = await world.queue();
  await deliverMails(world.services);
  world.mailer.instead = () => Promise.reject(new Error("down"));
  const failed = await world.queue();
  await deliverMails(world.services);
  world.clock.advance(7 * MAIL_LEASE_MS);
  await deliverMails(world.services);
  const rows: unknown[] = [];
  const waiting = world.testStore.realKv.list({ prefix: ["waiting_mails"] });
  for await (const { key } of waiting) rows.push(key);
  const { dueAtMs } = await world.mail(failed);
  assertEquals(rows, [["waiting_mails", dueAtMs, failed]]);
  const mails = await world.services.store.listMails({ limit: 10 });
  assertEquals(mails.map(({ id }) => id), [sent, failed]);
  world.clock.advance(MAIL_KEPT_MS);
  assertEquals(await world.services.store.listMails({ limit: 10 }), []);
});

Deno.test("the pump tries a mail as soon as its commit stands", async () => {
  await using world = await openMailWorld();
  const { services } = world;
  const store = createStore({
    kv: world.testStore.realKv,
    clock: world.clock,
    onMailsQueued: (mailIds) => pump.offer(mailIds),
  });
  const pump = createMailPump({ ...services, store });
  const ids = [await world.queue(), await world.queue()];
  assertEquals(world.mailer.taken, []);
  for (const id of ids) {
    const mail = await world.mail(id);
    await store.transact((tx) => tx.outbox.save(mail));
  }
  // Its own writes, a lease and an outcome, are no new mails.
  while (world.mailer.taken.length < 2) await store.spotlightsVersion();
  await pump.close();
  assertEquals(world.mailer.taken.map(({ id }) => id), ids);
  assertEquals((await world.mail(ids[1] ?? "")).state, "sent");
});

Deno.test("the pump sends a few mails at a time and none once closed", async () => {
  await using world = await openMailWorld();
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push(await world.queue());
  const gate = Promise.withResolvers<void>();
  const full = Promise.withResolvers<void>();
  let underWay = 0;
  world.mailer.instead = () => {
    underWay += 1;
    if (underWay === 8) full.resolve();
    return gate.promise;
  };
  const pump = createMailPump(world.services);
  pump.offer(ids);
  await full.promise;
  const closing = pump.close();
  gate.resolve();
  await closing;
  pump.offer(ids);
  assertEquals(underWay, 8);
});
