import { PAGES } from "../../../domain/pages.ts";
import { limitAccount } from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import { DashboardPage } from "./dashboard_page.tsx";
import { readDashboard } from "./dashboard_view.ts";

/** Where an advertiser begins: `/account`. */
export function accountSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PAGES.account,
    // Every agent is read, to show the newest that are connected.
    proceed: [limitAccount(parts)],
    get: {
      [PAGES.account]: async ({ services, account, show }) => {
        const dashboard = await readDashboard(services, account);
        const askAt = services.settings.seller.email;
        return show(<DashboardPage dashboard={dashboard} askAt={askAt} />);
      },
    },
  });
}
