/**
 * `/v1/accounts` and `/v1/account_links`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { newAccount, newAccountLink } from "../connect.ts";
import { invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { ConnectedAccount } from "../objects.ts";
import {
  inert,
  nested,
  oneOf,
  type Read,
  required,
  text,
  url,
} from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const CREATE_SHAPE = {
  capabilities: required(nested({
    transfers: required(nested({ requested: required(inert("true")) })),
  })),
  country: text(2),
  email: text(255),
  metadata: metadata(),
  tos_acceptance: nested({ service_agreement: oneOf("full", "recipient") }),
  type: required(oneOf("express")),
};

const LINK_SHAPE = {
  account: required(text(255)),
  refresh_url: required(url()),
  return_url: required(url()),
  type: required(oneOf("account_onboarding")),
};

/** Create, retrieve, list and delete accounts of others, and open the page of one. */
export const accountRoutes: Route[] = [
  route("POST", "/v1/accounts", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/accounts",
    PAGING_BY_TIME,
    (call, params) => listPage(call, "account", "/v1/accounts", params, {}),
  ),
  retrieveRoute("/v1/accounts/:id", "account"),
  route("DELETE", "/v1/accounts/:id", {}, (call, _, id = "") => {
    call.remove("account", call.get("account", id).id);
    return { id, object: "account", deleted: true };
  }),
  route("POST", "/v1/account_links", LINK_SHAPE, (call, params) => {
    const account = call.get("account", params.account, "account");
    return newAccountLink(call, account, params);
  }),
];

function create(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): ConnectedAccount {
  const country = params.country ?? call.setting.account.seller.country;
  if (!/^[A-Z]{2}$/.test(country)) {
    throw invalidRequest(`Country '${country}' is unknown.`, {
      code: "country_unsupported",
      param: "country",
    });
  }
  return newAccount(call, {
    country,
    email: params.email ?? null,
    metadata: mergeMetadata({}, params.metadata),
  });
}
