import { lookAt } from "../support/looks/look_at.ts";
import { PUBLIC_LOOKS } from "../support/looks/pages.ts";

lookAt(PUBLIC_LOOKS);
