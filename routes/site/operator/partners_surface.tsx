import {
  emptyBalance,
  type PartnerBalance,
} from "../../../domain/partners/partner_balance.ts";
import type { Payout } from "../../../domain/partners/payout.ts";
import type { Store } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { PartnersPage } from "./partners_page.tsx";
import { PARTNERS_PATH } from "./paths.ts";

/** Partners that are shown at once. */
const SHOWN_MAX = 200;

/** The operator's page about partners; what is decided is on their accounts. */
export function partnersSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: PARTNERS_PATH,
    get: { [PARTNERS_PATH]: showPartners },
  });
}

async function showPartners(
  { services: { store }, show }: PageRequest,
): Promise<Response> {
  const found = await store.listPartners({ limit: SHOWN_MAX + 1 });
  const partners = found.slice(0, SHOWN_MAX);
  const [accounts, balances] = await Promise.all([
    readAll(
      store,
      partners.map(({ accountId }) => store.accounts.ref(accountId)),
    ),
    readAll(
      store,
      partners.map(({ accountId }) => store.partnerBalances.ref(accountId)),
    ),
  ]);
  const open = await openPayouts(store, balances);
  const shown = partners.map((partner, at) => ({
    partner,
    name: accounts[at]?.company?.name ?? accounts[at]?.email ??
      partner.accountId,
    balance: balances[at] ?? emptyBalance(partner.accountId),
    payout: open.get(partner.accountId) ?? null,
  }));
  const isCut = found.length > SHOWN_MAX;
  return show(<PartnersPage partners={shown} isCut={isCut} />);
}

/** The payouts under way, by their partners. */
async function openPayouts(
  store: Store,
  balances: readonly (PartnerBalance | null)[],
): Promise<Map<string, Payout>> {
  const ids = balances.flatMap((balance) => balance?.openPayoutId ?? []);
  const payouts = await readAll(store, ids.map((id) => store.payouts.ref(id)));
  return new Map(
    payouts.flatMap((payout) =>
      payout === null ? [] : [[payout.partnerId, payout]]
    ),
  );
}
