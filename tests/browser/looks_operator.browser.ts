import { lookAt } from "../support/looks/look_at.ts";
import { OPERATOR_LOOKS } from "../support/looks/pages.ts";

lookAt(OPERATOR_LOOKS);
