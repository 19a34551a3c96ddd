import type { Services } from "../ports.ts";

/**
 * Writes what has changed to where continuous backups are kept, if anywhere. A
 * store to practise with writes nothing: it would pass for the newest of the
 * real one, and can never be released.
 */
export async function backUpStore(
  { store, log }: Pick<Services, "log" | "store">,
): Promise<void> {
  if ((await store.currentHold())?.kind === "drill") return;
  if (await store.backUp() === "begun") log.info("backup.series_begun");
}
