import type { Service } from "../../app/service.ts";
import { until } from "./until.ts";

/** Waits until a service that has just started can be asked everything. */
export function untilIndexed({ core }: Service): Promise<void> {
  return until(() => core.retrieval.index.isReady);
}
