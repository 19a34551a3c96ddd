import { z } from "zod";
import { openBillingPortal } from "../../../domain/cards/open_billing_portal.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import type { Services } from "../../../domain/ports.ts";
import { CHANGES, DESTROYS, READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { keyArgument } from "../../mcp/tool_arguments.ts";
import {
  CARD_POSITION,
  CARDS_ACTION,
  cardsPage,
} from "../agent/billing_routes.ts";
import { positionedQuery } from "../../http/list_query.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { boundCall, objectOf } from "./bound_call.ts";
import { card, listOf, removal } from "./outputs.ts";
import { pageArguments } from "./page_arguments.ts";

/** What is done with `billing:read` and `billing:write`. */
export function billingTools(services: Services): AdvertiserTool[] {
  return [
    listCards(services),
    chooseCard(services),
    takeCardAway(services),
    openPortal(services),
  ];
}

const cardId = z.string().regex(/^pm_/, "must begin with pm_").max(255)
  .describe("A saved card of the account");

const oneCard = z.strictObject({
  payment_method_id: cardId,
  idempotency_key: keyArgument.optional(),
});

function listCards(services: Services): AdvertiserTool {
  return defineTool({
    name: "list_payment_methods",
    title: "Saved cards",
    description: "Lists the account's saved cards, newest first, with which " +
      "is the default. Cards are added by the user in the browser.",
    annotations: READS,
    scope: "billing:read",
    input: pageArguments,
    output: orProblem(listOf(card)),
    handle: (given, { caller: { grant: { accountId } } }) =>
      cardsPage(
        services,
        accountId,
        positionedQuery(given, CARDS_ACTION, CARD_POSITION),
      ),
  });
}

function chooseCard(services: Services): AdvertiserTool {
  return defineTool({
    name: "set_default_payment_method",
    title: "Choose the default card",
    description: "Makes a saved card the one that raises, and bids that name " +
      "no card, are charged to. Bids that stand keep theirs.",
    annotations: CHANGES,
    scope: "billing:write",
    input: oneCard,
    output: orProblem(card),
    async handle({ payment_method_id: id, idempotency_key: key }, { caller }) {
      const operation = `POST /v1/agent/payment_methods/${id}/default`;
      const asked = boundCall(caller, { operation, key });
      return objectOf(
        await setDefaultCard(services, { ...asked, paymentMethodId: id }),
      );
    },
  });
}

function takeCardAway(services: Services): AdvertiserTool {
  return defineTool({
    name: "remove_payment_method",
    title: "Remove a card",
    description: "Takes a saved card away for good. It is refused while a " +
      "bid that has not settled stands on the card.",
    annotations: DESTROYS,
    scope: "billing:write",
    input: oneCard,
    output: orProblem(removal),
    async handle({ payment_method_id: id, idempotency_key: key }, { caller }) {
      const operation = `DELETE /v1/agent/payment_methods/${id}`;
      const asked = boundCall(caller, { operation, key });
      return objectOf(
        await removeCard(services, { ...asked, paymentMethodId: id }),
      );
    },
  });
}

function openPortal(services: Services): AdvertiserTool {
  return defineTool({
    name: "open_billing_portal",
    title: "Link to the billing portal",
    description: "Makes a link to the payment processor's billing portal, " +
      "good for a few minutes. Hand it to the user, who signs off there what " +
      "changes; it is of no use to an agent.",
    annotations: { ...CHANGES, idempotentHint: false, openWorldHint: true },
    scope: "billing:write",
    input: z.strictObject({ idempotency_key: keyArgument.optional() }),
    output: orProblem(z.strictObject({ url: z.url() })),
    async handle({ idempotency_key: key }, { caller }) {
      const operation = "POST /v1/agent/billing_portal";
      const asked = boundCall(caller, { operation, key });
      return objectOf(await openBillingPortal(services, asked));
    },
  });
}
