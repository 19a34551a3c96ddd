import { readPages } from "../payments/read_pages.ts";
import type { Services } from "../ports.ts";
import { lookAtDispute } from "./look_at_dispute.ts";

/** A bank decides a dispute within this time. */
const LOOKED_BACK_MS = 180 * 86_400_000;

/**
 * Looks at every dispute that stands otherwise at the processor than here: what
 * a lost notification would have told. One that can't be looked at keeps nobody
 * waiting, for as many days as it stands: what it moved stays a difference.
 *
 * @throws {ProcessorUncertain} when the processor does not list them
 */
export async function sweepDisputes(services: Services): Promise<void> {
  const { store, processor, clock, log } = services;
  const until = clock.now();
  const span = { from: until - LOOKED_BACK_MS, until };
  const found = await readPages((cursor, limit) =>
    processor.listDisputes(span, cursor, limit)
  );
  for (const { id, standing, movements } of found) {
    const known = await store.disputes.find(id);
    const isKnown = known?.state === standing &&
      movements.every((each) => known.movementIds.includes(each.id));
    if (isKnown) continue;
    try {
      await lookAtDispute(services, id);
    } catch (error) {
      log.error("dispute.look_failed", { dispute: id, error: String(error) });
    }
  }
}
