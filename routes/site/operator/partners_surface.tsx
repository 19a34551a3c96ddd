import {
  emptyBalance,
  type PartnerBalance,
} from "../../../domain/partners/partner_balance.ts";
import {
  type Partner,
  type PartnerPlace,
  partnerPlace,
} from "../../../domain/partners/partner.ts";
import type { Payout } from "../../../domain/partners/payout.ts";
import type { Store } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import { PARTNER_POSITIONS } from "../../http/positions.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { partOf } from "./list_answer.ts";
import { type DeskPartner, PartnersPage } from "./partners_page.tsx";
import { PARTNERS_PATH } from "./paths.ts";

/** Partners of each list that are shown at once. */
const PAGE_MAX = 50;

/** The operator's page about partners; what is decided is on their accounts. */
export function partnersSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: PARTNERS_PATH,
    get: { [PARTNERS_PATH]: showPartners },
  });
}

async function showPartners(
  { services: { store }, query, show }: PageRequest,
): Promise<Response> {
  // Async, so that what one query is refused for leaves no other read alone.
  const page = async (name: string, list: PartnerList) =>
    await partOf(query(name) ?? undefined, {
      action: "Cannot show the partners",
      positions: PARTNER_POSITIONS,
      max: PAGE_MAX,
      list,
      placeOf: partnerPlace,
      wire: (partner: Partner) => partner,
    });
  const [waiting, others] = await Promise.all([
    page(
      "waiting",
      ({ limit, before: after }) => store.listWaitingPartners({ limit, after }),
    ),
    page("cursor", (part) => store.listDecidedPartners(part)),
  ]);
  return show(
    <PartnersPage
      waiting={await withMoney(store, waiting.items)}
      others={await withMoney(store, others.items)}
      next={{ waiting: waiting.next_cursor, cursor: others.next_cursor }}
      isFurtherOn={query("waiting") !== null || query("cursor") !== null}
    />,
  );
}

/** One of the two lists, from a place on. */
type PartnerList = (
  part: { limit: number; before: PartnerPlace | null },
) => Promise<Partner[]>;

/** The partners with their names, and what they earned and were paid. */
async function withMoney(
  store: Store,
  partners: readonly Partner[],
): Promise<DeskPartner[]> {
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
  return partners.map((partner, at) => ({
    partner,
    name: accounts[at]?.company?.name ?? accounts[at]?.email ??
      partner.accountId,
    balance: balances[at] ?? emptyBalance(partner.accountId),
    payout: open.get(partner.accountId) ?? null,
  }));
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
