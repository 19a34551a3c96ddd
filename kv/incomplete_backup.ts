import { refuse } from "../domain/refusal.ts";

/** Ends a restore before, or instead of, its last step. */
export function incompleteBackup(why: string): never {
  return refuse({
    code: "invalid_input",
    message: `Cannot restore the backup: ${why}`,
  });
}
