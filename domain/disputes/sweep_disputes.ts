import { TemporaryFailure } from "../failure.ts";
import { readPages } from "../payments/read_pages.ts";
import type { Services } from "../ports.ts";
import { lookAtDispute } from "./look_at_dispute.ts";

/** A bank decides a dispute within this time. */
const LOOKED_BACK_MS = 180 * 86_400_000;

/**
 * Looks at every dispute that stands otherwise at the processor than here: what
 * a lost notification would have told.
 *
 * @throws {TemporaryFailure} once all were tried, when one could not be looked
 * at
 */
export async function sweepDisputes(services: Services): Promise<void> {
  const { store, processor, clock } = services;
  const until = clock.now();
  const span = { from: until - LOOKED_BACK_MS, until };
  const found = await readPages((cursor, limit) =>
    processor.listDisputes(span, cursor, limit)
  );
  let failure: TemporaryFailure | null = null;
  for (const { id, standing } of found) {
    const known = await store.disputes.find(id);
    if (known?.state === standing) continue;
    try {
      await lookAtDispute(services, id);
    } catch (error) {
      if (!(error instanceof TemporaryFailure)) throw error;
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}
