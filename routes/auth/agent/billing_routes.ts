import { newestFirst } from "../../../domain/cards/card.ts";
import { toCardRecord } from "../../../domain/cards/card_record.ts";
import { listCards, type OwnCard } from "../../../domain/cards/list_cards.ts";
import { openBillingPortal } from "../../../domain/cards/open_billing_portal.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import type { Services } from "../../../domain/ports.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { type Route, route } from "../../route_table.ts";
import { agentAnswer } from "./agent_answer.ts";
import { bindingOf, boundJson } from "./bound_request.ts";
import { listAnswer, parseListQuery } from "./list_query.ts";

/** A card's place in the list: its moment and its id. */
const POSITION = /^(\d{1,16}) (pm_[A-Za-z0-9_]{1,252})$/;

/** The operations behind `billing:read` and `billing:write`. */
export function billingRoutes(services: Services): Route[] {
  return [
    route("GET", "/v1/agent/payment_methods", async (context) => {
      const { accountId } = grantWith(context, "billing:read");
      const action = "Cannot list the payment methods";
      const asked = parseListQuery(context, action, POSITION);
      const all = await listCards(services, { accountId });
      const following = all.filter(({ card }) => isAfter(card, asked.after));
      return agentAnswer(
        context,
        listAnswer(following, asked, {
          wire: ({ card, isDefault }) => toCardRecord(card, isDefault),
          positionOf,
        }),
      );
    }),
    route("POST", "/v1/agent/payment_methods/:id/default", async (context) => {
      const grant = grantWith(context, "billing:write");
      const bound = await setDefaultCard(services, {
        accountId: grant.accountId,
        paymentMethodId: context.req.param("id"),
        binding: bindingOf(context, grant),
      });
      return boundJson(context, bound);
    }),
    route("DELETE", "/v1/agent/payment_methods/:id", async (context) => {
      const grant = grantWith(context, "billing:write");
      const bound = await removeCard(services, {
        accountId: grant.accountId,
        paymentMethodId: context.req.param("id"),
        binding: bindingOf(context, grant),
      });
      return boundJson(context, bound);
    }),
    route("POST", "/v1/agent/billing_portal", async (context) => {
      const grant = grantWith(context, "billing:write");
      const bound = await openBillingPortal(services, {
        accountId: grant.accountId,
        binding: bindingOf(context, grant),
      });
      return boundJson(context, bound);
    }),
  ];
}

function positionOf({ card }: OwnCard): string {
  return `${card.createdAtMs} ${card.id}`;
}

/** Whether a card follows a position, which need not be there any more. */
function isAfter(
  card: OwnCard["card"],
  after: string | null,
): boolean {
  const [, createdAtMs, id] = POSITION.exec(after ?? "") ?? [];
  if (id === undefined) return true;
  const position = { ...card, createdAtMs: Number(createdAtMs), id };
  return newestFirst(position, card) < 0;
}
