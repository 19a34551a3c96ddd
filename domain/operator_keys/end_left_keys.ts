import { isOperator } from "../accounts/eligibility.ts";
import type { Services } from "../ports.ts";
import { isGood, KEYS_KEPT_MAX } from "./operator_key.ts";

/**
 * Ends the keys of whoever is no operator any more, for good: an address that
 * comes back to the operators, perhaps with somebody else behind it, brings no
 * key of before with it. The list changes with a start, which runs this.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function endLeftKeys(
  { store, clock, settings, log }: Pick<
    Services,
    "store" | "clock" | "settings" | "log"
  >,
): Promise<void> {
  const keys = await store.listOperatorKeys({ limit: KEYS_KEPT_MAX });
  for (
    const { id, accountId } of keys.filter((key) => isGood(key, clock.now()))
  ) {
    const isEnded = await store.transact(async (tx) => {
      const [key, maker] = await tx.getMany([
        tx.operatorKeys.ref(id),
        tx.accounts.ref(accountId),
      ]);
      if (key === null || key.endedAtMs !== null) return false;
      if (maker !== null && isOperator(maker, settings)) return false;
      tx.operatorKeys.save({ ...key, endedAtMs: clock.now() });
      return true;
    });
    if (isEnded) log.info("operator_key.ended", { key: id });
  }
}
