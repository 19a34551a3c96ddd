import type { Services } from "../ports.ts";

/** Writes what has changed to where continuous backups are kept, if anywhere. */
export async function backUpStore(
  { store, log }: Pick<Services, "log" | "store">,
): Promise<void> {
  if (await store.backUp() === "begun") log.info("backup.series_begun");
}
