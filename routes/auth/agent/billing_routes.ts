import {
  type CardRecord,
  toCardRecord,
} from "../../../domain/cards/card_record.ts";
import { listCards, type OwnCard } from "../../../domain/cards/list_cards.ts";
import {
  type OpenBillingPortal,
  openBillingPortal,
} from "../../../domain/cards/open_billing_portal.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import type { BoundAnswer } from "../../../domain/idempotency/bound_answer.ts";
import { newestFirst } from "../../../domain/newest_first.ts";
import type { Services } from "../../../domain/ports.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { agentAnswer } from "./agent_answer.ts";
import { bindingOf, boundJson } from "./bound_request.ts";
import {
  type ListAnswer,
  listAnswer,
  type ListQuery,
  parseListQuery,
} from "../../http/list_query.ts";

const LIST = "/v1/agent/payment_methods";

/** Whose cards are changed, by a request that may be repeated. */
type Asked = Pick<OpenBillingPortal, "accountId" | "binding">;

/** How a refusal of the list begins. */
export const CARDS_ACTION = "Cannot list the payment methods";

/** A card's place in the list: its moment and its id. */
export const CARD_POSITION = /^(\d{1,16}) (pm_[A-Za-z0-9_]{1,252})$/;

/** The operations behind `billing:read` and `billing:write`. */
export function billingRoutes(services: Services): Route[] {
  return [
    route("GET", LIST, async (context) => {
      const { accountId } = grantWith(context, "billing:read");
      const asked = parseListQuery(context, CARDS_ACTION, CARD_POSITION);
      return agentAnswer(context, await cardsPage(services, accountId, asked));
    }),
    route(
      "POST",
      `${LIST}/:id/default`,
      (context) =>
        change(context, (asked) => {
          const paymentMethodId = context.req.param("id");
          return setDefaultCard(services, { ...asked, paymentMethodId });
        }),
    ),
    route("DELETE", `${LIST}/:id`, (context) =>
      change(context, (asked) => {
        const paymentMethodId = context.req.param("id");
        return removeCard(services, { ...asked, paymentMethodId });
      })),
    route(
      "POST",
      "/v1/agent/billing_portal",
      (context) =>
        change(context, (asked) => openBillingPortal(services, asked)),
    ),
  ];
}

/** A part of the account's saved cards, newest first. */
export async function cardsPage(
  services: Services,
  accountId: string,
  asked: ListQuery,
): Promise<ListAnswer<CardRecord>> {
  const all = await listCards(services, { accountId });
  const following = all.filter(({ card }) => isAfter(card, asked.after));
  return listAnswer(following, asked, {
    wire: ({ card, isDefault }) => toCardRecord(card, isDefault),
    positionOf,
  });
}

/** Changes something for the grant's account, once a key. */
async function change(
  context: RouteContext,
  verb: (asked: Asked) => Promise<BoundAnswer>,
): Promise<Response> {
  const grant = grantWith(context, "billing:write");
  const { accountId } = grant;
  const binding = bindingOf(context, grant);
  return boundJson(context, await verb({ accountId, binding }));
}

function positionOf({ card }: OwnCard): string {
  return `${card.createdAtMs} ${card.id}`;
}

/** Whether a card follows a position, which need not be there any more. */
function isAfter(
  card: OwnCard["card"],
  after: string | null,
): boolean {
  const [, createdAtMs, id] = CARD_POSITION.exec(after ?? "") ?? [];
  if (id === undefined) return true;
  const position = { ...card, createdAtMs: Number(createdAtMs), id };
  return newestFirst(position, card) < 0;
}
