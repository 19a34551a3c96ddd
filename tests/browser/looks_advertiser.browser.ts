import { lookAt } from "../support/looks/look_at.ts";
import { ADVERTISER_LOOKS } from "../support/looks/pages.ts";

lookAt(ADVERTISER_LOOKS);
