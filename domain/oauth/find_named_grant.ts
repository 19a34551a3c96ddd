import type { ReadTables } from "../ports.ts";
import type { Grant } from "./grant.ts";

/**
 * The grant that a token or code names, or the one that it was merged into. A
 * grant is merged into one that stays, so there is one step at most.
 */
export async function findNamedGrant(
  { grants }: Pick<ReadTables, "grants">,
  grantId: string,
): Promise<Grant | null> {
  const grant = await grants.find(grantId);
  const into = grant?.mergedInto;
  return into === undefined ? grant : await grants.find(into);
}
