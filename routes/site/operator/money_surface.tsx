import { readMoneyReport } from "../../../domain/reconciliation/read_money_report.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import {
  readSessionGate,
  requireSessionFor,
  signedInOf,
} from "../../middleware/session.ts";
import { route, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { privateAnswer } from "../pages/page_answer.ts";
import { MoneyPage } from "./money_page.tsx";

/** Where an operator reads the state of the money. */
export const MONEY_PATH = "/operator/money";

/** The operator's page about money; there is none for anybody else. */
export function moneySurface(parts: AdvertiserParts): Surface {
  return {
    prefix: MONEY_PATH,
    enter: [readSessionGate(parts)],
    proceed: [requireSessionFor(MONEY_PATH)],
    routes: [
      route("GET", MONEY_PATH, async (context) => {
        const { account } = signedInOf(context);
        const report = await readMoneyReport(parts.services, account);
        return privateAnswer(context, <MoneyPage report={report} />);
      }),
    ],
    answers: PAGE_ANSWERS,
  };
}
