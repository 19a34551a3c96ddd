import type { Services } from "../ports.ts";
import { Refused } from "../refusal.ts";
import { sweep } from "../tasks/sweep.ts";
import type { Account } from "./account.ts";
import { isToBeAsked } from "./vat_check.ts";
import { settleVat } from "./verify_vat.ts";

/** VAT ids of one run; the next run goes on from there. */
export const VATS_PER_RUN = 50;
/** Accounts among which a run finds ids whose register answers. */
const LOOKED_AT_MAX = 200;
/** So many in a row of a member state without an answer: its register is down. */
const FAILURES_IN_A_ROW_MAX = 3;
/** So many of them down are an outage of the registry: the rest can wait. */
const STATES_DOWN_MAX = 2;

/**
 * Checks the VAT ids that are due, settles claims that a crash left, one after the
 * other, as the registry wants it: those of accounts that are known first, however
 * many cost nothing to make and are due earlier. Safe to run twice and in two
 * isolates: a second answer is recorded over the first.
 */
export async function verifyDueVats(services: Services): Promise<void> {
  const registers = new Registers();
  let count = 0;
  await sweep(services.clock, {
    due: (nowMs) => dueAccounts(services, nowMs),
    async attempt(account) {
      // A claim is settled without the registry, of which it says nothing.
      const asks = isToBeAsked(account);
      if (asks && registers.isDown(account)) return;
      const came = await settle(services, account.id);
      if (asks) registers.note(account, came);
      // Who may not ask now keeps nobody from it who may.
      if (came !== "postponed") count += 1;
      return registers.areDown || count >= VATS_PER_RUN ? "stop" : undefined;
    },
  });
}

/** Those that are known come first; of the others there may be any number. */
async function dueAccounts(
  { store }: Pick<Services, "store">,
  nowMs: number,
): Promise<Account[]> {
  const [known, others] = await Promise.all([
    store.listDue("knownVats", nowMs, { limit: LOOKED_AT_MAX }),
    store.listDue("vats", nowMs, { limit: LOOKED_AT_MAX }),
  ]);
  return [...known, ...others];
}

type Came = "settled" | "postponed" | "outage";

/**
 * What a run has heard of the member states' registers, each of which answers by
 * itself: one that is down for a night holds up the ids of its own state alone.
 */
class Registers {
  readonly #failures = new Map<string, number>();

  /** Whether all are taken to be down. */
  get areDown(): boolean {
    const down = [...this.#failures.values()]
      .filter((count) => count >= FAILURES_IN_A_ROW_MAX);
    return down.length >= STATES_DOWN_MAX;
  }

  isDown(account: Account): boolean {
    return this.#failuresOf(account) >= FAILURES_IN_A_ROW_MAX;
  }

  note(account: Account, came: Came): void {
    // Who may not ask now says nothing of the registry.
    if (came === "postponed") return;
    const failures = came === "outage" ? this.#failuresOf(account) + 1 : 0;
    this.#failures.set(stateOf(account), failures);
  }

  #failuresOf(account: Account): number {
    return this.#failures.get(stateOf(account)) ?? 0;
  }
}

/** The member state whose register knows the account's VAT id. */
function stateOf({ company }: Account): string {
  return company?.vatId?.slice(0, 2) ?? "";
}

/** What came of one: the registry may have failed, or not have been asked. */
async function settle(
  services: Services,
  accountId: string,
): Promise<Came> {
  try {
    const answer = await settleVat(services, { accountId, networks: [] });
    if (answer?.outcome !== "unknown") return "settled";
    return answer.retryAfterMs === undefined ? "outage" : "postponed";
  } catch (error) {
    // The account is gone: nothing is left to ask.
    if (!(error instanceof Refused)) throw error;
    return "settled";
  }
}
