import { isoOrNull, isoTime } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import { PAGES } from "../pages.ts";
import { LINKS_MAX } from "../partners/limits.ts";
import type { Partner } from "../partners/partner.ts";
import { readMonths } from "../partners/read_figures.ts";
import type { Exported, ExportServices } from "./exported.ts";

/** Of one partner; there are a few a month at most. */
const LISTED_MAX = 10_000;

/**
 * The partner programme: the application, links, statements and payouts. What a
 * single invoice brought is the advertiser's, whose bid was sealed.
 */
export async function partnerSection(
  services: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const { store, settings } = services;
  const partnerAt = `${settings.baseUrl}${PAGES.partner}`;
  const [partner, account] = await store.getMany([
    store.partners.ref(accountId),
    store.accounts.ref(accountId),
  ]);
  const limit = LISTED_MAX;
  const links = await store.listReferralLinks(accountId, { limit: LINKS_MAX });
  const statements = await store.listStatements(accountId, { limit });
  const payouts = await store.listPayouts(accountId, { limit });
  const months = await readMonths(services, accountId, { limit, before: null });
  return {
    application: partner === null ? null : applicationFacts(partner),
    came_by_a_link_at: isoOrNull(account?.referral?.signedUpAtMs),
    mail_host_at_sign_up: account?.referral?.mailHost ?? null,
    links: links.map(({ code, name, createdAtMs, endedAtMs }) => ({
      code,
      name,
      made_at: isoTime(createdAtMs),
      ended_at: isoOrNull(endedAtMs),
    })),
    sign_ups: months.map(({ month, signUps }) => ({ month, count: signUps })),
    statements: statements.map((statement) => ({
      number: statement.number,
      from_month: statement.fromMonth,
      through_month: statement.throughMonth,
      amount_cents: statement.amountCents,
      released_at: isoTime(statement.releasedAtMs),
      document: `${partnerAt}/statements/${statement.number}/pdf`,
    })),
    payouts: payouts.map((payout) => ({
      id: payout.id,
      state: payout.state,
      amount_cents: payout.amountCents,
      returned_cents: payout.returnedCents,
      to: payout.destination,
      transfer: payout.transferId,
      asked_at: isoTime(payout.requestedAtMs),
      paid_at: isoOrNull(payout.paidAtMs),
    })),
  };
}

function applicationFacts(partner: Partner): Json {
  return {
    state: partner.state,
    terms_accepted: {
      version: partner.terms.version,
      at: isoTime(partner.terms.acceptedAtMs),
    },
    where_you_recommend_us: partner.pitch,
    applied_at: isoTime(partner.appliedAtMs),
    decided_at: isoOrNull(partner.decidedAtMs),
    reason: partner.reason,
    account_at_the_payment_processor: partner.connectedAccount?.id ?? null,
  };
}
