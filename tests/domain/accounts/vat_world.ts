import type { Account } from "../../../domain/accounts/account.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import type {
  VatAnswer,
  VatRegistry,
} from "../../../domain/accounts/vat_registry.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import type { KvLike } from "../../../kv/kv_like.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import type { ManualClock } from "../../support/clock.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";
import { MemoryLog } from "../../support/captured_logs.ts";

/** The VAT id of the accounts of these tests. */
export const VAT_ID = "DE123456789";

/** What holding a VAT id takes besides the id. */
export const COMPLETE: Partial<Account> = {
  identityStatus: "verified",
  defaultPaymentMethodId: "pm_1",
};

/** What the registry says when it can't be asked. */
export const OUTAGE: VatAnswer = {
  outcome: "unknown",
  consultation: null,
  name: null,
};

/** A registry that is told what to answer and counts what it was asked. */
export class TestRegistry implements VatRegistry {
  readonly asked: string[] = [];
  answer: VatAnswer = { outcome: "valid", consultation: "WAPI1", name: null };
  /** Happens before an answer. */
  before: () => Promise<void> | void = () => {};

  read(): null {
    return null;
  }

  async check(vatId: string): Promise<VatAnswer> {
    this.asked.push(vatId);
    await this.before();
    return this.answer;
  }
}

/** The world of one test. */
export interface VatWorld extends AsyncDisposable {
  clock: ManualClock;
  registry: TestRegistry;
  services: Services;
  store: Store;
  /** The real store. */
  kv: KvLike;
  /** The same service in another process. */
  another(): { services: Services; kv: FaultyKv };
  log: MemoryLog;
  /**
   * Saves an onboarded account that is identity-checked and has a card; null for
   * one without a VAT id.
   */
  onboard(
    name: string,
    vatId?: string | null,
    changes?: Partial<Account>,
  ): Promise<string>;
  account(accountId: string): Promise<Account>;
  /** The accounts whose VAT id is due by now. */
  due(): Promise<string[]>;
}

/** Opens a world without accounts. */
export async function openVatWorld(): Promise<VatWorld> {
  const world = await openBiddingWorld({ opened: false });
  const { clock, testStore: { store } } = world;
  const registry = new TestRegistry();
  const log = new MemoryLog();
  return {
    clock,
    registry,
    store,
    log,
    kv: world.testStore.realKv,
    services: { ...world.services, vatRegistry: registry, log },
    another() {
      const { store, kv } = world.testStore.another();
      const vatRegistry = registry;
      return { services: { ...world.over(store), vatRegistry, log }, kv };
    },
    async onboard(name, vatId = VAT_ID, changes = {}) {
      const company = {
        name: `${name} GmbH`,
        country: "DE",
        vatId,
        address: { line1: "Weg 1", city: "Berlin", postalCode: "10115" },
      };
      const account = newAccount(`acc_${name}`, `${name}@example.com`, 0);
      await store.transact((tx) =>
        tx.accounts.save({ ...account, company, ...COMPLETE, ...changes })
      );
      return account.id;
    },
    async account(accountId) {
      const account = await store.accounts.find(accountId);
      if (account === null) throw new Error(`Cannot find "${accountId}"`);
      return account;
    },
    async due() {
      const options = { limit: 100 };
      const due = await Promise.all([
        store.listDue("knownVats", clock.now(), options),
        store.listDue("vats", clock.now(), options),
      ]);
      return due.flat().map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
