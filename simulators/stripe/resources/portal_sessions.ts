/**
 * `/v1/billing_portal/sessions`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { newHostedPage } from "../hosted_page.ts";
import type { PortalSession } from "../objects.ts";
import { type Read, required, text, url } from "../params.ts";
import { type Route, route } from "../route.ts";

/** A page that nobody visits so soon is of no more use. */
const VISITED_WITHIN_S = 5 * 60;

const CREATE_SHAPE = {
  customer: required(text(255)),
  locale: text(10),
  return_url: url(),
};

/** Create a way into the portal. */
export const portalSessionRoutes: Route[] = [
  route("POST", "/v1/billing_portal/sessions", CREATE_SHAPE, create),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): PortalSession {
  const { id: customer } = call.get("customer", params.customer, "customer");
  const return_url = params.return_url ?? null;
  return call.put("portal_session", {
    id: call.newId("bps"),
    object: "billing_portal.session",
    configuration: "bpc_simulated",
    created: call.now,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url,
    url: newHostedPage(call, {
      kind: "portal",
      subject: customer,
      expires_at: call.now + VISITED_WITHIN_S,
      return_url,
    }),
  });
}
