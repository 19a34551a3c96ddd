import type { Development } from "../../app/development.ts";
import { startViesSimulator } from "../../simulators/vies/simulator.ts";
import { demoRoutes } from "./demo_routes.ts";

/** Demo routes, and a registry of VAT ids on this machine. */
export const DEVELOPMENT: Development = {
  operatorRoutes: (parts) => demoRoutes(parts),
  startVies: startViesSimulator,
};
