/** How far the migrations of a store have come. */
export interface MigrationRun {
  /** The version that every row is of at least. */
  version: number;
  /** Whether there is more to do, here or by another process. */
  state: "done" | "elsewhere" | "unfinished";
}
