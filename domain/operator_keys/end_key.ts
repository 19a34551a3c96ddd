import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { OperatorKey } from "./operator_key.ts";

/**
 * Ends a key at once; one that has ended stays as it is.
 *
 * @throws {Refused} `not_found`
 */
export function endKey(
  { store, clock }: Pick<Services, "store" | "clock">,
  { keyId }: { keyId: string },
): Promise<OperatorKey> {
  return store.transact(async (tx) => {
    const found = await tx.operatorKeys.find(keyId);
    if (found === null) {
      return refuse({ code: "not_found", message: "Cannot find the key" });
    }
    if (found.endedAtMs !== null) return found;
    const ended = { ...found, endedAtMs: clock.now() };
    tx.operatorKeys.save(ended);
    const { name } = found;
    tx.noteChange({ before: { name, ended: false }, after: { ended: true } });
    return ended;
  });
}
