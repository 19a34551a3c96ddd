import { z } from "zod";
import { actAs } from "../../../domain/audit/act_as.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Day } from "../../../domain/day.ts";
import { closeEarly } from "../../../domain/settlement/close_early.ts";
import { readDayReport } from "../../../domain/settlement/read_day_report.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { requiredText } from "../../http/bounded_text.ts";
import type { Route } from "../../route_table.ts";
import { toDayReportRecord } from "./day_report.ts";
import { operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

const REASON_MAX = 500;

const removal = z.strictObject({ reason: requiredText(REASON_MAX) });

/** The operator's hand on a day: the verbs that cron calls. */
export function auctionRoutes({ services, records }: OperatorParts): Route[] {
  const report = async (day: Day) =>
    toDayReportRecord(await readDayReport(services, day));
  return [
    operation("GET", "/auctions/:day", ({ day }) => report(day())),
    operation("POST", "/auctions/:day/open", async ({ day: dayOf, by }) => {
      const day = dayOf();
      await actAs(
        services,
        { by, act: "auction.open", subject: day },
        (acting) => openAuction(acting, { day }),
      );
      return await report(day);
    }),
    operation("POST", "/auctions/:day/close", async ({ day: dayOf, by }) => {
      const day = dayOf();
      await actAs(
        services,
        { by, act: "auction.close", subject: day },
        (acting) => closeEarly(acting, { day }),
      );
      return await report(day);
    }),
    operation("POST", "/auctions/:day/settle", async ({ day: dayOf, by }) => {
      const day = dayOf();
      await actAs(
        services,
        { by, act: "auction.settle", subject: day },
        (acting) => settleDay(acting, { day, force: true }),
      );
      await records.refreshNow();
      return await report(day);
    }),
    operation("POST", "/spotlights/:day/remove", async ({ by, ...asked }) => {
      const day = asked.day();
      const action = "Cannot remove the Spotlight";
      const { reason } = await asked.body(removal, action);
      await actAs(
        services,
        { by, act: "spotlight.remove", subject: day, reason },
        (acting) => removeSpotlight(acting, { day, reason }),
      );
      await records.refreshNow();
      return await report(day);
    }),
  ];
}
