import type { IdentitySession } from "../payments/processor_identity.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services } from "../ports.ts";
import { PAGES } from "../pages.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import {
  IDENTITY_TRIES_A_DAY,
  type IdentityCheck,
  newIdentityCheck,
  recentTries,
  withTry,
} from "./identity_check.ts";

/** Where the processor's page for identities leads back to. */
export const IDENTITY_RETURN = `${PAGES.identity}/return`;

const DAY_MS = 86_400_000;

/**
 * Opens a page of the processor's on which a person shows a document. Each try
 * is a page of its own, since one can be used once. That it was opened is
 * written down first, so that its outcome is found whatever becomes of the
 * answer, the event and the way back.
 *
 * @returns where the browser is to go; null when the identity is verified
 * already
 * @throws {Refused} `account_not_found`; `tries_exhausted`; and as
 * `requireAuthority()`
 * @throws {TemporaryFailure} when the processor gives no page now
 */
export async function startIdentityCheck(
  services: Services,
  { accountId, by }: { accountId: string; by: Authority },
): Promise<{ url: string | null }> {
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
    const [account, found] = await tx.getMany([
      tx.accounts.ref(accountId),
      tx.identityChecks.ref(accountId),
    ]);
    if (account === null) refuse({ code: "account_not_found" });
    if (account.identityStatus === "verified") return null;
    const check = found ?? newIdentityCheck(accountId);
    const nowMs = clock.now();
    const recent = recentTries(check, nowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= IDENTITY_TRIES_A_DAY) {
      const waitMs = oldest.startedAtMs + DAY_MS - nowMs;
      const retryAfterS = Math.ceil(waitMs / 1_000);
      refuse({ code: "tries_exhausted", retryAfterS });
    }
    const begun = withTry(check, nowMs);
    tx.identityChecks.save(begun);
    return begun;
  });
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
