import type { Account } from "../accounts/account.ts";
import { countedCard } from "../accounts/counted_card.ts";
import { invariant } from "../invariant.ts";
import type { IdentitySession } from "../payments/processor_identity.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services } from "../ports.ts";
import { humanStepsRefusal, PAGES } from "../pages.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import {
  type IdentityCheck,
  newIdentityCheck,
  nextTryAtMs,
  withTry,
} from "./identity_check.ts";
import { stepsBeforeIdentity } from "./identity_steps.ts";

/** Where the processor's page for identities leads back to. */
export const IDENTITY_RETURN = `${PAGES.identity}/return`;

/** By what a check is counted beside its account, which costs nothing to make. */
export interface CountedCheck {
  /** Whether the account has begun one before. */
  isRepeat: boolean;
  vatId: string;
  /** As `countedCard()` names it. */
  card: string;
}

/** Whose check, and what it draws on beside the account's own bounds. */
export interface StartIdentityCheck {
  accountId: string;
  by: Authority;
  /** Counts what is paid for by who asks. @throws when that is too much */
  admit(check: CountedCheck): Promise<void>;
}

/**
 * Opens a page of the processor's on which a person shows a document. Each try
 * is a page of its own, since one can be used once, and is paid for: what costs
 * nothing comes before it. That it was opened is written down first, so that its
 * outcome is found whatever becomes of the answer, the event and the way back.
 *
 * @returns where the browser is to go; null when the identity is verified
 * already
 * @throws {Refused} `account_not_found`; `human_step_required` before VAT id and
 * card; `tries_exhausted`; and as `requireAuthority()` and `admit()`
 * @throws {TemporaryFailure} when the processor gives no page now
 */
export async function startIdentityCheck(
  services: Services,
  { accountId, by, admit }: StartIdentityCheck,
): Promise<{ url: string | null }> {
  const { store, clock } = services;
  // What is refused anyhow draws on nothing that others share.
  const wanted = await nextTry(store, accountId, clock.now());
  if (wanted === null) return { url: null };
  await admit(await countedAs(store, wanted));
  const begun = await begin(services, accountId);
  if (begun === null) return { url: null };
  const session = await openSession(services, begun, by);
  if (session.url === null) throw new TypeError("A new page has an address");
  return { url: session.url };
}

/**
 * Opens the page of the try that was begun last and keeps its id. The call's
 * key is that of the try: whoever does it again, such as after a lost answer,
 * meets the same page.
 *
 * @param by who is told of the page; nobody is who was signed out meanwhile.
 * Null where nobody is told
 * @throws {TemporaryFailure} when the processor gives no page now
 */
export async function openSession(
  services: Services,
  begun: IdentityCheck,
  by: Authority | null,
): Promise<IdentitySession> {
  const { processor, settings } = services;
  const { accountId, count } = begun;
  const session = acceptedValue(
    services,
    "open a page for identities",
    await processor.createIdentitySession({
      accountId,
      returnUrl: `${settings.baseUrl}${IDENTITY_RETURN}`,
    }, `identity:${accountId}:${count}`),
  );
  await remember(services, begun, session.id, by);
  return session;
}

/** Null when there is nothing to check. */
function begin(
  { store, clock }: Services,
  accountId: string,
): Promise<IdentityCheck | null> {
  return store.transact(async (tx) => {
    const begun = (await nextTry(tx, accountId, clock.now()))?.check ?? null;
    if (begun !== null) tx.identityChecks.save(begun);
    return begun;
  });
}

/** A check that may be begun, and whose it is. */
interface NextTry {
  account: Account;
  check: IdentityCheck;
}

async function countedAs(
  store: Services["store"],
  { account, check }: NextTry,
): Promise<CountedCheck> {
  const vatId = account.company?.vatId ?? null;
  invariant(vatId !== null, "a VAT id comes before the check");
  const card = await countedCard(store, account);
  return { isRepeat: check.count > 1, vatId, card };
}

/** The checks with the next one begun, if it may be; null for who needs none. */
async function nextTry(
  tables: Pick<Services["store"], "getMany" | "accounts" | "identityChecks">,
  accountId: string,
  nowMs: number,
): Promise<NextTry | null> {
  const [account, found] = await tables.getMany([
    tables.accounts.ref(accountId),
    tables.identityChecks.ref(accountId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  if (account.identityStatus === "verified") return null;
  const before = stepsBeforeIdentity(account);
  if (before.length > 0) refuse(humanStepsRefusal(before));
  const check = found ?? newIdentityCheck(accountId);
  const waitMs = nextTryAtMs(check, nowMs) - nowMs;
  if (waitMs > 0) {
    const retryAfterS = Math.ceil(waitMs / 1_000);
    refuse({ code: "tries_exhausted", retryAfterS });
  }
  return { account, check: withTry(check, nowMs) };
}

function remember(
  { store }: Services,
  begun: IdentityCheck,
  sessionId: string,
  by: Authority | null,
): Promise<void> {
  return store.transact(async (tx) => {
    if (by !== null) await requireAuthority(tx, by);
    const check = await tx.identityChecks.find(begun.accountId);
    // A later try has begun meanwhile: that one counts.
    if (check === null || check.count !== begun.count) return;
    const last = check.tries.length - 1;
    const tries = check.tries.map((each, at) =>
      at === last ? { ...each, sessionId } : each
    );
    tx.identityChecks.save({ ...check, tries });
  });
}
