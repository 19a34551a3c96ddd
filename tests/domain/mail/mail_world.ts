import type { Mailer } from "../../../domain/mail/mailer.ts";
import type { Mail } from "../../../domain/mail/mail_content.ts";
import { type OutboxMail, saveMail } from "../../../domain/mail/outbox_mail.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import type { ManualClock } from "../../support/clock.ts";
import type { FaultRule } from "../../support/faults.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";
import type { TestStore } from "../../support/store.ts";

/** A mail server that is told what to do and remembers what it took. */
export class TestMailer implements Mailer {
  keepsText = false;
  readonly taken: (Mail & { id: string })[] = [];
  /** Happens instead of taking a mail; null takes it. */
  instead: (() => Promise<void> | void) | null = null;

  async send(mail: Mail & { id: string }): Promise<void> {
    if (this.instead !== null) return await this.instead();
    this.taken.push(mail);
  }
}

/** The world of one test. */
export interface MailWorld extends AsyncDisposable {
  clock: ManualClock;
  mailer: TestMailer;
  log: MemoryLog;
  services: Services;
  testStore: TestStore;
  /** Another isolate over the same store. */
  another(
    faults?: readonly FaultRule[],
  ): { services: Services; kv: FaultyKv; mailer: TestMailer };
  /** Puts a mail into the outbox; answers its id. */
  queue(mail?: Partial<Mail>): Promise<string>;
  mail(id: string): Promise<OutboxMail>;
}

/** Opens a world without mail. */
export async function openMailWorld(): Promise<MailWorld> {
  const world = await openBiddingWorld({ opened: false });
  const { testStore } = world;
  const { clock, ids } = testStore;
  const mailer = new TestMailer();
  const log = new MemoryLog();
  const over = (store: Store, own: Mailer): Services => ({
    ...world.over(store),
    mailer: own,
    log,
  });
  return {
    clock,
    mailer,
    log,
    services: over(testStore.store, mailer),
    testStore,
    another(faults) {
      const { store, kv } = testStore.another(faults);
      const own = new TestMailer();
      return { services: over(store, own), kv, mailer: own };
    },
    async queue(mail = {}) {
      const id = ids.next("mail");
      await testStore.store.transact((tx) =>
        saveMail(tx, id, {
          to: "ada@example.com",
          subject: "Sign in",
          text: "Your code is 123456",
          ...mail,
        }, clock.now())
      );
      return id;
    },
    async mail(id) {
      const mail = await testStore.store.outbox.find(id);
      if (mail === null) throw new Error(`Cannot find mail "${id}"`);
      return mail;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
