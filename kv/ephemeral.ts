/**
 * Which rows backups leave out.
 *
 * @module
 */

/**
 * Families that no backup holds and no restore brings back, in key order: what
 * is worth nothing minutes later, what processes say of themselves (when a job
 * last ran), and the salts, which a copy would keep from being destroyed.
 */
export const EPHEMERAL_FAMILIES: readonly string[] = [
  "backup_series",
  "click_bookings",
  "click_salts",
  "click_visitors",
  "commit_marks",
  "job_runs",
  "logged_changes",
  "rate_buckets",
  "rehearsals",
  "store_probe",
];

/** Whether backups leave the row out; those of earlier versions may hold it. */
export function isEphemeral([family]: Deno.KvKey): boolean {
  return typeof family === "string" && EPHEMERAL_FAMILIES.includes(family);
}

/** Everything that is worth a backup, in key order. */
export function persistentRanges(): Deno.KvListSelector[] {
  const after = EPHEMERAL_FAMILIES.map((family) => [`${family}\0`]);
  const until = EPHEMERAL_FAMILIES.map((family) => [family]);
  // The least key there is: no bytes.
  const starts = [[new Uint8Array()], ...after];
  return starts.map((start, at) => {
    const end = until[at];
    return end ? { start, end } : { prefix: [], start };
  });
}
