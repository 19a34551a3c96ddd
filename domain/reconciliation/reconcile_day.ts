import { type Day, dayOf } from "../day.ts";
import { sweepDisputes } from "../disputes/sweep_disputes.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { compareDay } from "./compare_day.ts";
import { cutOf, READ_BOUNDS } from "./read_books.ts";
import type { Reconciliation } from "./reconciliation.ts";

/**
 * Compares one UTC day anew, by an operator's decision.
 *
 * @throws {Refused} `invalid_input` for a day that is not over
 * @throws {TemporaryFailure} when the processor or the store does not answer;
 * nothing is reported then
 */
export async function reconcileDay(
  services: Services,
  day: Day,
): Promise<Reconciliation> {
  if (day >= dayOf(services.clock.now())) {
    const message = `Cannot compare the books: ${day} is not over`;
    refuse({ code: "invalid_input", message });
  }
  const cut = cutOf(await sweepDisputes(services));
  return await compareDay(services, day, READ_BOUNDS, cut);
}
