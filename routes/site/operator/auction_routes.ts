import { z } from "zod";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Day } from "../../../domain/day.ts";
import { readDayReport } from "../../../domain/settlement/read_day_report.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { type Route, route } from "../../route_table.ts";
import { parsePathDay } from "../../http/query.ts";
import { toDayReportRecord } from "./day_report.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { operatorAnswer } from "./operator_answer.ts";
import { readInput } from "./read_input.ts";

const REASON_MAX = 500;

const removal = z.strictObject({
  reason: z.string().trim()
    .min(1, "must not be empty")
    .max(REASON_MAX, `must have at most ${REASON_MAX} characters`),
});

/** The operator's hand on a day: the verbs that cron calls. */
export function auctionRoutes(
  { services, records }: Pick<OperatorParts, "services" | "records">,
): Route[] {
  const report = async (day: Day) =>
    operatorAnswer(toDayReportRecord(await readDayReport(services, day)));
  return [
    route(
      "GET",
      "/operator/v1/auctions/:day",
      (context) => report(parsePathDay(context.req.param("day"))),
    ),
    route("POST", "/operator/v1/auctions/:day/open", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      await openAuction(services, { day });
      return await report(day);
    }),
    route("POST", "/operator/v1/auctions/:day/close", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      await closeAuction(services, { day });
      return await report(day);
    }),
    route("POST", "/operator/v1/auctions/:day/settle", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      await settleDay(services, { day, force: true });
      await records.refreshNow();
      return await report(day);
    }),
    route("POST", "/operator/v1/spotlights/:day/remove", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      const { reason } = await readInput(
        removal,
        context,
        "Cannot remove the Spotlight",
      );
      await removeSpotlight(services, { day, reason });
      await records.refreshNow();
      return await report(day);
    }),
  ];
}
