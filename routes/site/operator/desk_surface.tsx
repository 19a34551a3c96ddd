import { PAGES } from "../../../domain/pages.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage } from "../pages/advertiser_page.ts";
import { OperatorPage } from "./desk_page.tsx";
import { readDesk } from "./desk_view.ts";

/** Where an operator begins: `/operator`. */
export function deskSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: PAGES.desk,
    get: {
      [PAGES.desk]: async ({ services, jobs, show }) =>
        show(<OperatorPage desk={await readDesk(services, jobs)} />),
    },
  });
}
