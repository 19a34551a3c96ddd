import { z } from "zod";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { type Route, route } from "../../route_table.ts";
import { toHoldRecord, toReleaseRecord } from "./hold_record.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { operatorAnswer } from "./operator_answer.ts";
import { readInput } from "./read_input.ts";

/** Names of items in one request: more than a review ever shows. */
const NAMES_MAX = 300;
const NAME_MAX = 300;

const order = z.strictObject({
  acknowledge: z.array(z.string().max(NAME_MAX)).max(NAMES_MAX),
});

/** The operator's hand on a store that was restored. */
export function holdRoutes(
  { services, records }: Pick<OperatorParts, "services" | "records">,
): Route[] {
  return [
    route("GET", "/operator/v1/hold", async () => {
      return operatorAnswer(toHoldRecord(await reviewHold(services)));
    }),
    route("POST", "/operator/v1/hold/release", async (context) => {
      const { acknowledge: acknowledged } = await readInput(
        order,
        context,
        "Cannot release the store",
      );
      const release = await releaseStore(services, { acknowledged });
      await records.refreshNow();
      return operatorAnswer(toReleaseRecord(release));
    }),
  ];
}
