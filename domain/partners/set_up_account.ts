import { isSuspended } from "../accounts/eligibility.ts";
import { HOUR_MS } from "../day.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { ProcessorAccount } from "../payments/processor_partners.ts";
import { PAGES } from "../pages.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isAhead } from "../tasks/due.ts";
import { isCountry } from "../tax/countries.ts";
import { listOwnAccounts } from "./list_own_accounts.ts";
import { connectedAccountOf, type Partner } from "./partner.ts";
import { withStanding } from "./standing.ts";

/** Where the processor's page for partners leads back to. */
export const SET_UP_RETURN = `${PAGES.partner}/set-up/return`;
/** Where it leads when its address is of no more use. */
export const SET_UP_AGAIN = `${PAGES.partner}/set-up/again`;

/** Whose account at the processor. */
export interface SetUpAccount {
  partnerId: string;
  by: Authority;
  /** Where the partner lives; null for one that has an account already. */
  country: string | null;
}

/**
 * Opens the processor's page on which a partner says who it is and where it is
 * paid. The account there is made the first time: what is asked for is written
 * down first, so that whoever asks at once, or after a crash, asks for the same
 * one, and one whose answer was lost is looked for.
 *
 * @returns where the browser is to go
 * @throws {Refused} `partner_required` for who is none; `invalid_input` without
 * a country that is known, and for another one while an account is being made;
 * `payout_refused` while the account is suspended, as it
 * may be in the wrong hands and the page changes where it is paid; and as {@linkcode requireAuthority}
 * @throws {TemporaryFailure} when the processor gives no page now
 */
export async function setUpAccount(
  services: Services,
  { partnerId, by, country }: SetUpAccount,
): Promise<{ url: string }> {
  const { store, settings, ids, processor } = services;
  const partner = await store.partners.find(partnerId);
  if (partner === null || !mayBePaid(partner)) {
    return refuse({ code: "partner_required" });
  }
  await requireOwn(services, { partnerId, by });
  const id = partner.connectedAccount?.id ??
    await makeAccount(services, partner, { partnerId, by, country });
  const opened = await processor.openPartnerSetUp({
    id,
    returnUrl: `${settings.baseUrl}${SET_UP_RETURN}`,
    refreshUrl: `${settings.baseUrl}${SET_UP_AGAIN}`,
  }, ids.next("set_up"));
  // What was ended while the processor was asked is told no page.
  await requireOwn(services, { partnerId, by });
  return acceptedValue(services, "open a partner's set-up", opened);
}

/** The page changes where commissions are paid: it is for their owner alone. */
function requireOwn(
  { store }: Pick<Services, "store">,
  { partnerId, by }: Pick<SetUpAccount, "partnerId" | "by">,
): Promise<void> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    if (isSuspended(await tx.accounts.find(partnerId))) {
      refuse({ code: "payout_refused", why: "suspended" });
    }
  });
}

/** Who was ended is still owed what was earned before. */
function mayBePaid({ state }: Partner): boolean {
  return state === "approved" || state === "ended";
}

async function makeAccount(
  services: Services,
  partner: Partner,
  { partnerId, by, country }: SetUpAccount,
): Promise<string> {
  const { processor } = services;
  const made = await findMade(services, partner, country);
  if (made !== null) {
    return await keepAccount(services, { partnerId, by }, made);
  }
  if (country === null || !isCountry(country)) {
    const message = "Cannot set up the account: choose your country";
    refuse({ code: "invalid_input", message });
  }
  const asked = await askFor(services, { partnerId, by, country });
  if ("id" in asked) return asked.id;
  const { email, atMs } = asked;
  const answer = await processor.createPartnerAccount(
    { accountId: partnerId, email, country },
    `partner:${partnerId}:${country}:${atMs}`,
  );
  if (!answer.ok) {
    await forgetAsked(services, { partnerId, atMs });
    services.log.info("partner.account_refused", {
      partner: partnerId,
      code: answer.code,
    });
    const message =
      "Cannot set up the account: the payment processor does not pay partners there";
    return refuse({ code: "invalid_input", message });
  }
  return await keepAccount(services, { partnerId, by }, answer.value);
}

/**
 * An account that was made, and of which the store does not know: its answer was
 * lost, or came after the backup. The country of one is for good, so one of
 * another country than was chosen now, of which its owner has said nothing there,
 * is left alone.
 */
async function findMade(
  services: Services,
  { accountAsked, accountId }: Partner,
  country: string | null,
): Promise<ProcessorAccount | null> {
  const sinceMs = accountAsked?.atMs ?? null;
  const found = await listOwnAccounts(services, accountId, sinceMs);
  const usable = found.filter((each) =>
    country === null || each.country === country || each.detailsSubmitted
  );
  return usable.find(({ payoutsEnabled }) => payoutsEnabled) ??
    usable.at(-1) ?? null;
}

/**
 * Writes down what the processor is about to be asked, for an hour: what failed
 * there is tried under another key then. Another country is refused meanwhile,
 * since that would be a second account.
 *
 * @returns the account where one was made meanwhile
 */
function askFor(
  { store, clock }: Services,
  { partnerId, by, country }: SetUpAccount & { country: string },
): Promise<{ id: string } | { email: string; atMs: number }> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const [partner, owner] = await tx.getMany([
      tx.partners.ref(partnerId),
      tx.accounts.ref(partnerId),
    ]);
    if (partner === null) return refuse({ code: "partner_required" });
    if (owner === null) return refuse({ code: "account_not_found" });
    const { connectedAccount, accountAsked } = partner;
    if (connectedAccount !== null) return { id: connectedAccount.id };
    const { email } = owner;
    const nowMs = clock.now();
    const isOpen = accountAsked !== undefined &&
      isAhead(accountAsked.atMs + HOUR_MS, nowMs, HOUR_MS);
    if (isOpen && accountAsked.country !== country) {
      const message = "Cannot set up the account: it is being made for " +
        `${accountAsked.country}, choose that country or try again in an hour`;
      return refuse({ code: "invalid_input", message });
    }
    if (isOpen) return { email, atMs: accountAsked.atMs };
    tx.partners.save({ ...partner, accountAsked: { country, atMs: nowMs } });
    return { email, atMs: nowMs };
  });
}

/** The processor said no for good: another country may be chosen at once. */
function forgetAsked(
  { store }: Services,
  { partnerId, atMs }: { partnerId: string; atMs: number },
): Promise<void> {
  return store.transact(async (tx) => {
    const partner = await tx.partners.find(partnerId);
    if (partner?.accountAsked?.atMs !== atMs) return;
    const { accountAsked: _, ...rest } = partner;
    tx.partners.save(rest);
  });
}

function keepAccount(
  { store, clock }: Services,
  { partnerId, by }: Pick<SetUpAccount, "partnerId" | "by">,
  made: ProcessorAccount,
): Promise<string> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const [partner, owner] = await tx.getMany([
      tx.partners.ref(partnerId),
      tx.accounts.ref(partnerId),
    ]);
    if (partner === null || owner === null) {
      return refuse({ code: "partner_required" });
    }
    const { accountAsked: _, ...rest } = partner;
    if (rest.connectedAccount !== null) return rest.connectedAccount.id;
    const nowMs = clock.now();
    const connectedAccount = connectedAccountOf(made, nowMs, nowMs);
    const after: Partner = { ...rest, connectedAccount };
    tx.partners.save(after);
    tx.accounts.save(withStanding(owner, after));
    return made.id;
  });
}
