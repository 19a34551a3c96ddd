import { isoTime } from "../day.ts";
import type { Services } from "../ports.ts";

/** Writes to the log, at every start of a restored store, that it does not act. */
export async function logHold(
  { store, log }: Pick<Services, "store" | "log">,
): Promise<void> {
  const hold = await store.currentHold();
  if (hold === null) return;
  const restored = isoTime(hold.restoredAtMs);
  log.error("hold.stands", { kind: hold.kind, restored });
}
