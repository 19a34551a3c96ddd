import type { Services } from "../ports.ts";

/** Far longer than storing the largest document can take. */
const LEFT_BEHIND_AFTER_MS = 3_600_000;
/** Writers that one run cleans up after. */
const PURGED_PER_RUN = 100;

/** Removes from the archive what writers left there that died. */
export async function purgeArchive(
  { archive, clock, log }: Pick<Services, "archive" | "clock" | "log">,
): Promise<void> {
  const before = clock.now() - LEFT_BEHIND_AFTER_MS;
  const purged = await archive.purge(before, PURGED_PER_RUN);
  if (purged > 0) log.info("archive.purged", { attempts: purged });
}
