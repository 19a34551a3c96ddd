import { assert } from "@std/assert";
import type { Service } from "../../app/service.ts";

/** Waits until a service that has just started can be asked everything. */
export async function untilIndexed({ core }: Service): Promise<void> {
  const untilMs = Date.now() + 20_000;
  while (!core.retrieval.index.isReady) {
    assert(Date.now() < untilMs, "the search index has not been built");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
