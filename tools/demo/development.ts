import type { Development } from "../../app/development.ts";
import { startViesSimulator } from "../../simulators/vies/simulator.ts";
import { demoRoutes } from "./demo_routes.ts";
import { DEMO_CLIENT_ID } from "./issue_demo_token.ts";
import { DEMO_AGENT_CLIENT_ID } from "./open_demo_access.ts";

/** Demo clients and routes, and a registry of VAT ids on this machine. */
export const DEVELOPMENT: Development = {
  clientIds: [DEMO_CLIENT_ID, DEMO_AGENT_CLIENT_ID],
  operatorRoutes: demoRoutes,
  startVies: startViesSimulator,
};
