import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Mail } from "../../domain/mail/mail_content.ts";
import { saveMail } from "../../domain/mail/outbox_mail.ts";
import type { BackupTarget } from "../../domain/operations/backup_target.ts";
import { Refused } from "../../domain/refusal.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { dump } from "../../kv/dump.ts";
import { createStore } from "../../kv/store.ts";
import {
  logged,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { openTestStore } from "../support/store.ts";

/** Too long for the log. */
const LARGE = "x".repeat(40_000);

Deno.test("nothing is restored of a file that is another one when it is read again", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  // More than one commit of a restore takes.
  for (let n = 0; n < 20; n++) await put(kv, ["row", n], LARGE);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await put(kv, ["row", 1], "changed");
  await writeBackups(seriesOf(from, target));
  await using forger = await openTestStore();
  for (let n = 0; n < 20; n++) {
    await put(forger.realKv, ["row", n], LARGE.replace("x", "forged"));
  }
  const forged = await new Response(dump(forger.realKv, { keys: null }))
    .bytes();
  const readings = new Map<string, number>();
  const replaced: BackupTarget = {
    ...target,
    get(name) {
      const before = readings.get(name) ?? 0;
      readings.set(name, before + 1);
      const isForged = name.includes("/full-") && before === 1;
      return isForged ? Promise.resolve(forged) : target.get(name);
    },
  };
  await using to = await openTestStore();
  await assertRejects(() => restored(to, replaced), Refused);
  // With the true file back in its place, the restore is gone on with.
  const summary = await restored(to, target);
  assertEquals(summary.verified, true);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
});

Deno.test("neither a backup nor its changes hold a code to sign in with", async () => {
  await using from = await openTestStore();
  const { clock } = from;
  const kv = logged(from);
  const store = createStore({ kv, clock });
  const queue = (id: string, mail: Pick<Mail, "kind" | "text" | "html">) =>
    store.transact((tx) => {
      const to = { to: "ada@example.com", subject: "To Ada", ...mail };
      saveMail(tx, id, to, clock.now());
    });
  await queue("mail_1", { kind: "sign_in", text: "Your code: 13579246" });
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await queue("mail_2", {
    kind: "sign_in",
    text: "Your code: 24681357",
    html: "<p>24681357</p>",
  });
  await queue("mail_3", { kind: "sign_in", text: `24681357 ${LARGE}` });
  await queue("mail_4", { text: "Your bid won." });
  await queue("mail_5", { kind: "email_change", text: "Your code: 24681357" });
  await queue("mail_6", { kind: "sign_in", text: "" });
  await store.transact(async (tx) => {
    const mail = await tx.outbox.find("mail_6");
    assert(mail !== null);
    tx.outbox.save({ ...mail, state: "sent" });
  });
  // No mail, whatever it is like.
  const row = { kind: "sign_in", state: "waiting", text: "a row" };
  await put(kv, ["row"], row);
  await writeBackups(seriesOf(from, target));

  const files = [...target.objects.values()]
    .map((bytes) => new TextDecoder().decode(bytes)).join("");
  for (const code of ["13579246", "24681357"]) {
    assert(!files.includes(code), "a backup tells a code");
  }
  // Whoever waits for it asks for another; other mails are still to be sent.
  await using to = await openTestStore();
  await restored(to, target);
  const mails = await to.store.listMails({ limit: 9 });
  assertEquals(
    mails.map(({ id, state, text }) => [id, state, text]).sort(),
    [
      ["mail_1", "given_up", ""],
      ["mail_2", "given_up", ""],
      ["mail_3", "given_up", ""],
      ["mail_4", "waiting", "Your bid won."],
      ["mail_5", "given_up", ""],
      ["mail_6", "sent", ""],
    ],
  );
  const due = await to.store.listDue("mails", clock.now(), { limit: 9 });
  assertEquals(due.map(({ id }) => id), ["mail_4"]);
  assertEquals((await to.realKv.get(["row"])).value, row);
});
