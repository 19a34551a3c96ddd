import { updateAccount } from "../../domain/accounts/update_account.ts";
import { readAuctionState } from "../../domain/auction/auction_state.ts";
import { readAccountSummary } from "../../domain/readiness/account_summary.ts";
import { CHANGES } from "../mcp/effects.ts";
import { parseAccountBody, updateAccountBody } from "../shapes/account_body.ts";
import { type AgentOperation, change, reading } from "./operation.ts";
import {
  dayParameter,
  optionalAdId,
  optionalCents,
  optionalDay,
} from "./parameters.ts";

/** What is done with `account:read` and `account:write`. */
export const ACCOUNT_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /me",
    scope: "account:read",
    id: "readAccount",
    summary: "Read the account and whether a first bid would stand",
    docs: "The account, whether it may bid, and what is missing for a first " +
      "bid.",
    tool: "get_account",
    title: "Account and readiness to bid",
    description: "Reads the account: whether it may bid and why not, the " +
      "spending mandate, the scopes of this token, and first_bid, which says " +
      "what a bid still needs, what is left of the mandate, today and of a " +
      "total, and what to do next. Name day, ad_id and amount_cents for an " +
      "answer about that very bid.",
    schema: "AccountSummary",
    action: "Cannot read the account",
    query: {
      day: optionalDay("The day of the bid"),
      ad_id: optionalAdId,
      amount_cents: optionalCents,
    },
    read: (services, { grant, query: { day, ad_id, amount_cents } }) =>
      readAccountSummary(services, grant, {
        day: day ?? null,
        adId: ad_id ?? null,
        amountCents: amount_cents ?? null,
      }),
  }),
  reading({
    at: "GET /auction",
    scope: "account:read",
    id: "readAuction",
    summary: "Read an auction",
    docs: "The state of the auction of a `day`: its phase, how many bid, " +
      "when it opens and closes.",
    tool: "get_auction",
    title: "State of an auction",
    description: "Reads the auction of a day: its phase, how many " +
      "advertisers have a live bid, and when it closes. Bids are sealed: no " +
      "amounts.",
    schema: "AuctionState",
    action: "Cannot read the auction",
    query: { day: dayParameter("Whose auction") },
    read: async (services, { query: { day } }) =>
      await readAuctionState(services, day),
  }),
  change({
    at: "PATCH /me",
    scope: "account:write",
    id: "updateAccount",
    summary: "Change the company's name and address, and which mails are sent",
    docs: "Changes [company and contact " +
      "details](#company-and-contact-details); what they are then.",
    tool: "update_account",
    title: "Change company and contact details",
    description: "Changes the company's name and address, which stand on " +
      "coming Spotlights and invoices, and which mails the user gets. Only " +
      "what is named changes. The VAT id, the country and the e-mail address " +
      "are changed by the user in the browser. Mails about signing in and " +
      "money are always sent.",
    effects: CHANGES,
    schema: "AccountSettings",
    body: {
      schema: "UpdateAccount",
      arguments: updateAccountBody.shape,
      parse: parseAccountBody,
    },
    change: (services, { grant: { accountId }, body: changes, binding }) =>
      updateAccount(services, { accountId, changes, binding }),
  }),
];
