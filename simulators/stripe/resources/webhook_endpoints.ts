/**
 * `/v1/webhook_endpoints`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { PAGING } from "../lists.ts";
import { API_VERSION } from "../objects.ts";
import { type Route, route } from "../route.ts";

/** List the one endpoint, which is set when the simulator starts. */
export const webhookEndpointRoutes: Route[] = [
  route("GET", "/v1/webhook_endpoints", PAGING, (call) => ({
    object: "list",
    data: endpoints(call),
    has_more: false,
    url: "/v1/webhook_endpoints",
  })),
];

function endpoints({ setting: { webhookUrl: url } }: Call) {
  if (url === null) return [];
  return [{
    id: "we_simulated",
    object: "webhook_endpoint",
    api_version: API_VERSION,
    application: null,
    created: 0,
    description: null,
    enabled_events: ["*"],
    livemode: false,
    metadata: {},
    status: "enabled",
    url,
  }];
}
