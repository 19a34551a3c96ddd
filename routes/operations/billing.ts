import { z } from "zod";
import { toCardRecord } from "../../domain/cards/card_record.ts";
import { listCards } from "../../domain/cards/list_cards.ts";
import { openBillingPortal } from "../../domain/cards/open_billing_portal.ts";
import { removeCard } from "../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../domain/cards/set_default_card.ts";
import { newestFirst } from "../../domain/newest_first.ts";
import { listPage } from "../http/list_query.ts";
import { CARD_POSITIONS } from "../http/positions.ts";
import { CHANGES, DESTROYS } from "../mcp/effects.ts";
import { type AgentOperation, change, reading } from "./operation.ts";

const ofAccount = [
  "payment_method_id",
  z.string().regex(/^pm_/, "must begin with pm_").max(255)
    .describe("A saved card of the account, from list_payment_methods"),
] as const;

/** What is done with `billing:read` and `billing:write`. */
export const BILLING_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /payment_methods",
    scope: "billing:read",
    id: "listPaymentMethods",
    summary: "List your saved cards",
    docs: "`{items, next_cursor}`: the saved cards, newest first.",
    tool: "list_payment_methods",
    title: "Saved cards",
    description: "Lists the account's saved cards, newest first, with which " +
      "is the default. Cards are added by the user in the browser.",
    schema: "CardList",
    action: "Cannot list the payment methods",
    positions: CARD_POSITIONS.shape,
    read: (services, { grant: { accountId }, page }) =>
      listPage(CARD_POSITIONS, page, {
        list: async ({ before }) =>
          (await listCards(services, { accountId })).filter(({ card }) =>
            before === null || newestFirst(before, card) < 0
          ),
        placeOf: ({ card }) => card,
        wire: ({ card, isDefault }) => toCardRecord(card, isDefault),
      }),
  }),
  change({
    at: "POST /payment_methods/{id}/default",
    scope: "billing:write",
    id: "setDefaultPaymentMethod",
    summary: "Make a card the default",
    docs: "The card that is charged from now on. Choosing it ends " +
      "`card_refused`, also where it is the default already.",
    tool: "set_default_payment_method",
    title: "Choose the default card",
    description: "Makes a saved card the one that raises, and bids that name " +
      "no card, are charged to. Bids that stand keep theirs. Choosing it " +
      "ends card_refused, also where it is the default already.",
    effects: CHANGES,
    argument: ofAccount,
    schema: "Card",
    change: (services, { grant, id: paymentMethodId, binding }) => {
      const { accountId } = grant;
      const card = { accountId, paymentMethodId };
      return setDefaultCard(services, { ...card, by: { grant }, binding });
    },
  }),
  change({
    at: "DELETE /payment_methods/{id}",
    scope: "billing:write",
    id: "removePaymentMethod",
    summary: "Remove a saved card",
    docs: "`{id, removed}`. 409 while a bid stands on the card.",
    tool: "remove_payment_method",
    title: "Remove a card",
    description: "Takes a saved card away for good. It is refused while a " +
      "bid that has not settled stands on the card.",
    effects: DESTROYS,
    argument: ofAccount,
    schema: "Removal",
    change: (services, { grant, id: paymentMethodId, binding }) => {
      const { accountId } = grant;
      const card = { accountId, paymentMethodId };
      return removeCard(services, { ...card, by: { grant }, binding });
    },
  }),
  change({
    at: "POST /billing_portal",
    scope: "billing:write",
    id: "openBillingPortal",
    summary: "Get a link at which the user adds cards",
    docs: "`{url}`: a page about cards and invoices. Give it to your user at " +
      "once and to nobody else; it is for a few minutes.",
    tool: "open_billing_portal",
    title: "Link to the billing portal",
    description: "Makes a link to the payment processor's billing portal, " +
      "good for a few minutes. Hand it to the user, who signs off there what " +
      "changes; it is of no use to an agent.",
    effects: { ...CHANGES, idempotentHint: false, openWorldHint: true },
    output: z.strictObject({ url: z.url() }),
    schema: "Portal",
    isAnswerSecret: true,
    change: (services, { grant, binding }) => {
      const { accountId } = grant;
      return openBillingPortal(services, { accountId, by: { grant }, binding });
    },
  }),
];
