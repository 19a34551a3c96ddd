import { StoreUnavailable } from "../failure.ts";
import type { Services } from "../ports.ts";

/**
 * Writes what has changed to where continuous backups are kept, if anywhere. A
 * store to practise with writes nothing: it would pass for the newest of the
 * real one, and can never be released. Nor does a store write where another one's
 * backups are: a restore would bring back the wrong one.
 *
 * @throws {StoreUnavailable} when it may not write there
 */
export async function backUpStore(
  { store, log }: Pick<Services, "log" | "store">,
): Promise<void> {
  if ((await store.currentHold())?.kind === "drill") return;
  const run = await store.backUp();
  if (run === "begun") log.info("backup.series_begun");
  if (run !== "other_store") return;
  log.error("backup.other_store");
  throw new StoreUnavailable("BACKUP_TO holds backups of another store");
}
