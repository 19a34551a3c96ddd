import { queueCustomer } from "../payments/customer_task.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account } from "./account.ts";
import { afterFailure, type VatCheck, vatCheckOf } from "./vat_check.ts";
import type { VatAnswer } from "./vat_registry.ts";

/** What checking a VAT id needs. */
export type VatServices = Pick<
  Services,
  "store" | "clock" | "log" | "vatRegistry"
>;

/**
 * Asks the registry for the account's VAT id and records what it says, with its
 * number and the moment as evidence. An outage is no answer: an earlier valid
 * result stays, an id that was never verified stays unverified and is checked
 * again by itself (contract §9.9). An account without a VAT id is left as it
 * is.
 *
 * @throws {Refused} `account_not_found`; `vat_id_taken` when the id is valid
 * and another account's
 */
export async function verifyVat(
  services: VatServices,
  { accountId }: { accountId: string },
): Promise<Account> {
  const { store, log, vatRegistry } = services;
  const asked = await store.accounts.find(accountId);
  if (asked === null) refuse({ code: "account_not_found" });
  const vatId = vatCheckOf(asked)?.vatId;
  if (vatId === undefined) return asked;
  const answer = await vatRegistry.check(vatId);
  const { account, isTaken } = await store.transact((tx) =>
    record(tx, services, { accountId, vatId, answer })
  );
  const outcome = isTaken ? "taken" : answer.outcome;
  log.info("vat.checked", { account: accountId, outcome });
  if (isTaken) refuse({ code: "vat_id_taken" });
  return account;
}

async function record(
  tx: Transaction,
  { clock }: VatServices,
  asked: { accountId: string; vatId: string; answer: VatAnswer },
): Promise<{ account: Account; isTaken: boolean }> {
  const { accountId, vatId, answer } = asked;
  const [account, holder] = await tx.getMany([
    tx.accounts.ref(accountId),
    tx.vatHolders.ref(vatId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  const check = vatCheckOf(account);
  // Changed while the registry was asked: the answer is about another id.
  if (check?.vatId !== vatId) return { account, isTaken: false };
  const now = clock.now();
  const isTaken = answer.outcome === "valid" && holder !== null &&
    holder.accountId !== accountId;
  if (isTaken || answer.outcome === "unknown") {
    const vatCheck = afterFailure(check, now);
    const kept = { ...account, vatCheck };
    tx.accounts.save(kept);
    return { account: kept, isTaken };
  }
  const vatCheck: VatCheck = {
    vatId,
    outcome: answer.outcome,
    atMs: now,
    consultation: answer.consultation,
    failures: 0,
    dueAtMs: now,
  };
  const checked = { ...account, vatStatus: answer.outcome, vatCheck };
  tx.accounts.save(checked);
  // Whether VAT is charged depends on it.
  if (checked.vatStatus !== account.vatStatus) {
    await queueCustomer(tx, accountId, now);
  }
  return { account: checked, isTaken: false };
}
