import { z } from "zod";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { type Route, route } from "../../route_table.ts";
import { parsePathDay } from "../../http/query.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { operatorAnswer } from "./operator_answer.ts";
import { readInput } from "./read_input.ts";

const NOTE_MAX = 500;

const refund = z.strictObject({
  note: z.string().trim()
    .min(1, "must not be empty")
    .max(NOTE_MAX, `must have at most ${NOTE_MAX} characters`),
});

/** The operator's hand on money: give back, compare a day. */
export function moneyRoutes(
  { services }: Pick<OperatorParts, "services">,
): Route[] {
  return [
    route("POST", "/operator/v1/spotlights/:day/refund", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      const { note } = await readInput(
        refund,
        context,
        "Cannot give the money back",
      );
      const invoice = await refundSpotlight(services, { day, note });
      const { number, money, totalCents, creditNotes } = invoice;
      return operatorAnswer({
        day,
        invoice: number,
        money,
        total_cents: totalCents,
        credit_notes: creditNotes.map((each) => each.number),
      });
    }),
    route("POST", "/operator/v1/reconciliations/:day", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      return operatorAnswer(await reconcileDay(services, day));
    }),
  ];
}
