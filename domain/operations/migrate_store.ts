import type { Services } from "../ports.ts";

/** A run ends before the next is due. */
const RUN_MS = 45_000;

/** Brings rows of earlier versions to this one's, as far as one run goes. */
export async function migrateStore(
  { store, clock, log }: Pick<Services, "clock" | "log" | "store">,
): Promise<void> {
  const { version, state } = await store.migrate(clock.now() + RUN_MS);
  if (state === "unfinished") log.info("store.migrating", { version });
}
