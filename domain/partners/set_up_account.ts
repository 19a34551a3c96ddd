import { isSuspended } from "../accounts/eligibility.ts";
import { HOUR_MS } from "../day.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import { PAGES } from "../pages.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isCountry } from "../tax/countries.ts";
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
 * paid. The account there is made the first time; of two made at once, or around
 * a crash, the first that is written down counts, and the other never sees
 * money.
 *
 * @returns where the browser is to go
 * @throws {Refused} `partner_required` for who is none; `invalid_input` without
 * a country that is known; `payout_refused` while the account is suspended, as it
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
  if (isSuspended(await store.accounts.find(partnerId))) {
    refuse({ code: "payout_refused", why: "suspended" });
  }
  const id = partner.connectedAccount?.id ??
    await makeAccount(services, { partnerId, by, country });
  const opened = await processor.openPartnerSetUp({
    id,
    returnUrl: `${settings.baseUrl}${SET_UP_RETURN}`,
    refreshUrl: `${settings.baseUrl}${SET_UP_AGAIN}`,
  }, ids.next("set_up"));
  return acceptedValue(services, "open a partner's set-up", opened);
}

/** Who was ended is still owed what was earned before. */
function mayBePaid({ state }: Partner): boolean {
  return state === "approved" || state === "ended";
}

async function makeAccount(
  services: Services,
  { partnerId, by, country }: SetUpAccount,
): Promise<string> {
  const { store, processor, clock } = services;
  if (country === null || !isCountry(country)) {
    const message = "Cannot set up the account: choose your country";
    refuse({ code: "invalid_input", message });
  }
  const account = await store.accounts.find(partnerId);
  if (account === null) return refuse({ code: "account_not_found" });
  const { email } = account;
  // What failed at the processor is tried under another key an hour later.
  const hour = Math.floor(clock.now() / HOUR_MS);
  const made = await processor.createPartnerAccount(
    { accountId: partnerId, email, country },
    `partner:${partnerId}:${country}:${hour}`,
  );
  if (!made.ok) {
    services.log.info("partner.account_refused", {
      partner: partnerId,
      code: made.code,
    });
    const message =
      "Cannot set up the account: the payment processor does not pay partners there";
    return refuse({ code: "invalid_input", message });
  }
  return await store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const [partner, owner] = await tx.getMany([
      tx.partners.ref(partnerId),
      tx.accounts.ref(partnerId),
    ]);
    if (partner === null || owner === null) {
      return refuse({ code: "partner_required" });
    }
    if (partner.connectedAccount !== null) return partner.connectedAccount.id;
    const nowMs = clock.now();
    const connectedAccount = connectedAccountOf(made.value, nowMs, nowMs);
    const after = { ...partner, connectedAccount };
    tx.partners.save(after);
    tx.accounts.save(withStanding(owner, after));
    return made.value.id;
  });
}
