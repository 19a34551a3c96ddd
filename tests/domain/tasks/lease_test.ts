import { assertEquals, assertRejects } from "@std/assert";
import { saveMail } from "../../../domain/mail/outbox_mail.ts";
import type { Transaction } from "../../../domain/ports.ts";
import { isAhead } from "../../../domain/tasks/due.ts";
import { changeRows } from "../../../domain/tasks/lease.ts";
import { keyOf } from "../../support/faults.ts";
import { openTestStore } from "../../support/store.ts";

const LEASE_MS = 45_000;
const SKEW_MS = 60_000;
const MAILS = { table: ({ outbox }: Transaction) => outbox };

Deno.test("isAhead() takes what is further away than it can be for a wrong clock's", () => {
  const now = 1_000_000;
  const ahead = [0, 1, LEASE_MS, LEASE_MS + SKEW_MS, LEASE_MS + SKEW_MS + 1]
    .map((ms) => isAhead(now + ms, now, LEASE_MS));
  assertEquals(ahead, [false, true, true, true, false]);
  assertEquals(isAhead(now - 1, now, LEASE_MS), false);
});

async function withMails(count: number) {
  const test = await openTestStore();
  const ids = Array.from({ length: count }, (_, n) => `mail_${n}`);
  for (const id of ids) {
    const mail = { to: "a@example.com", subject: "", text: "" };
    await test.store.transact((tx) => saveMail(tx, id, mail, test.clock.now()));
  }
  return { test, ids };
}

Deno.test("changeRows() changes any number of rows, ten to a commit, and leaves others alone", async () => {
  const { test, ids } = await withMails(23);
  await using _ = test;
  const { store, kv } = test.another();
  const changes = await changeRows(
    { store, clock: test.clock },
    MAILS,
    [...ids, "mail_none"],
    (mail) => mail.id === "mail_7" ? null : { ...mail, attempts: 1 },
  );
  assertEquals(changes.length, 22);
  assertEquals(kv.commits.length, 3);
  for (const id of ids) {
    const mail = await test.store.outbox.find(id);
    assertEquals(mail?.attempts, id === "mail_7" ? 0 : 1, id);
  }
});

Deno.test("changeRows() decides anew about a row that another changed meanwhile", async () => {
  const { test, ids } = await withMails(1);
  await using _ = test;
  let looks = 0;
  const [change] = await changeRows(test, MAILS, ids, async (mail) => {
    looks += 1;
    if (looks === 1) {
      await test.another().store.transact(async (tx) => {
        const found = await tx.outbox.find(mail.id);
        if (found !== null) tx.outbox.save({ ...found, attempts: 5 });
      });
    }
    return { ...mail, attempts: mail.attempts + 1 };
  });
  assertEquals([looks, change?.before.attempts, change?.after.attempts], [
    2,
    5,
    6,
  ]);
});

Deno.test("changeRows() throws what the store does not take", async () => {
  const { test, ids } = await withMails(1);
  await using _ = test;
  const { store } = test.another([
    { on: "commit", key: keyOf("outbox"), fault: { kind: "fail_before" } },
  ]);
  await assertRejects(() =>
    changeRows({ store, clock: test.clock }, MAILS, ids, (mail) => ({
      ...mail,
      attempts: 1,
    }))
  );
  assertEquals((await test.store.outbox.find("mail_0"))?.attempts, 0);
});
