import { countedCard } from "./counted_card.ts";
import { isKnown, isKnownByCard } from "./is_known.ts";
import { requireAccount } from "./require_account.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import type { Services, Transaction } from "../ports.ts";
import type { Network } from "../rate_limit/network.ts";
import type { Account, VatCheck } from "./account.ts";
import { claimVat } from "./claim_vat.ts";
import { waitingRename } from "./rename.ts";
import {
  afterFailure,
  isToBeAsked,
  postponedCheck,
  vatCheckOf,
} from "./vat_check.ts";
import { vatDoubtOf, withoutVatDoubt } from "./vat_claim.ts";
import type { VatAnswer } from "./vat_registry.ts";

/** What checking a VAT id needs. */
export type VatServices = Pick<
  Services,
  "store" | "clock" | "log" | "keys" | "vatRegistry"
>;

/**
 * Asks the registry for the account's VAT id and records what it says, with its
 * number, name and moment as evidence; then settles the claim, if it can be. An
 * outage means unknown, never invalid, and keeps an earlier valid result; an id
 * that was never verified is checked again by itself (contract §9.9). What the
 * registry has confirmed is not asked again, but for another name of the
 * company. An account without a VAT id is left as it is.
 *
 * @throws {Refused} `account_not_found`
 */
export async function verifyVat(
  services: VatServices,
  { accountId, networks = [] }: {
    accountId: string;
    /** Of the client that asks; none for a job. */
    networks?: readonly Network[];
  },
): Promise<Account> {
  await settleVat(services, { accountId, networks });
  return await requireAccount(services.store, accountId);
}

/**
 * The same, told as what the registry said; null where it had nothing to be
 * asked.
 *
 * @throws as {@linkcode verifyVat} does
 */
export async function settleVat(
  services: VatServices,
  { accountId, networks }: {
    accountId: string;
    networks: readonly Network[];
  },
): Promise<VatAnswer | null> {
  const { store, log, vatRegistry } = services;
  const found = await requireAccount(store, accountId);
  let answer: VatAnswer | null = null;
  if (isToBeAsked(found)) {
    const vatId = vatCheckOf(found)?.vatId ?? "";
    const said = await vatRegistry.check(vatId, {
      accountId,
      isKnown: isKnown(found),
      card: isKnownByCard(found) ? await countedCard(store, found) : null,
      networks,
    });
    await store.transact((tx) =>
      recordCheck(tx, services, { accountId, vatId, answer: said })
    );
    const { outcome } = said;
    log.info("vat.checked", { account: accountId, outcome });
    answer = said;
  }
  await claimVat(services, { accountId });
  return answer;
}

async function recordCheck(
  tx: Transaction,
  { clock }: VatServices,
  { accountId, vatId, answer }: {
    accountId: string;
    vatId: string;
    answer: VatAnswer;
  },
): Promise<void> {
  const account = await requireAccount(tx, accountId);
  const check = vatCheckOf(account);
  // Changed while the registry was asked: the answer is about another id.
  if (check?.vatId !== vatId) return;
  const now = clock.now();
  const checked = answer.outcome === "unknown"
    ? { ...account, vatCheck: afterNoAnswer(check, answer, now) }
    : afterAnswer(account, answer, {
      vatId,
      outcome: answer.outcome,
      atMs: now,
      consultation: answer.consultation,
      name: answer.name,
      failures: 0,
      dueAtMs: now,
    });
  tx.accounts.save(checked);
  // Whether VAT is charged depends on it.
  if (checked.vatStatus !== account.vatStatus) {
    await queueCustomer(tx, accountId, now);
  }
}

function afterNoAnswer(
  check: VatCheck,
  { retryAfterMs }: VatAnswer,
  nowMs: number,
): VatCheck {
  return retryAfterMs === undefined
    ? afterFailure(check, nowMs)
    : postponedCheck(check, nowMs + retryAfterMs);
}

/** A yes makes a claim; only the account that holds the id is `valid`. */
function afterAnswer(
  account: Account,
  { outcome, name }: VatAnswer,
  vatCheck: VatCheck,
): Account {
  const rename = waitingRename(account);
  const answered = rename === null
    ? account
    : { ...account, rename: { ...rename, registered: name } };
  if (account.vatStatus === "valid") return afterHeld(answered, vatCheck);
  const vatStatus = outcome === "invalid" ? "invalid" : "unverified";
  return { ...answered, vatStatus, vatCheck };
}

/**
 * The account that holds the id. It is asked about again only because its owner
 * wants another name, so the registry's no takes nothing away: else whoever left
 * the registry could take a bid back by typing a name, or be rid of a block with
 * the next account. An operator decides; the evidence of the yes stays until then.
 */
function afterHeld(account: Account, vatCheck: VatCheck): Account {
  if (vatCheck.outcome === "valid") {
    return { ...withoutVatDoubt(account), vatCheck };
  }
  if (vatDoubtOf(account) !== null) return account;
  const { vatId, atMs } = vatCheck;
  return { ...account, vatDoubt: { vatId, sinceMs: atMs ?? vatCheck.dueAtMs } };
}
