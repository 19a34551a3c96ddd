import { readText } from "../text/read_text.ts";
import { sha256Hex } from "../sha256.ts";
import { DAY_MS } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  isGood,
  KEY_DAYS,
  KEY_NAME,
  KEYS_KEPT_MAX,
  KEYS_MAX,
  type KeyScope,
  type OperatorKey,
} from "./operator_key.ts";

const REFUSED = "Cannot make the key";

/** What is asked for, as it was typed. */
export interface WantedKey {
  name: string;
  scope: KeyScope;
  days: number;
  /** The operator whose key it is. */
  accountId: string;
}

/**
 * Makes a key of the operator API. Several of one name may be good at once, so
 * that one takes over from another. Of those that are over the oldest are
 * forgotten once there are many; the audit names them for as long as it is kept.
 *
 * @returns the key's row, and the key, which is nowhere else
 * @throws {Refused} `invalid_input` for a name that is not plain, a time out of
 * bounds and while there are too many
 */
export async function makeKey(
  { store, clock, ids }: Pick<Services, "store" | "clock" | "ids">,
  { name: typed, scope, days, accountId }: WantedKey,
): Promise<{ made: OperatorKey; key: string }> {
  const name = readText(typed, KEY_NAME, REFUSED);
  if (!Number.isInteger(days) || days < KEY_DAYS.min || days > KEY_DAYS.max) {
    refuseKey(`it is good for ${KEY_DAYS.min} to ${KEY_DAYS.max} days`);
  }
  const all = await store.listOperatorKeys({ limit: KEYS_KEPT_MAX });
  const good = all.filter((each) => isGood(each, clock.now()));
  if (good.length >= KEYS_MAX) {
    refuseKey(`there are ${good.length} already, end one first`);
  }
  const room = KEYS_KEPT_MAX - good.length - 1;
  const forgotten = all.filter((each) => !good.includes(each))
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(room);
  const id = ids.next("opk");
  const key = `${id}_${ids.secret()}`;
  const made = await store.transact((tx) => {
    const nowMs = clock.now();
    const row: OperatorKey = {
      id,
      hash: sha256Hex(key),
      name,
      scope,
      accountId,
      createdAtMs: nowMs,
      goodUntilMs: nowMs + days * DAY_MS,
      endedAtMs: null,
      lastUsedAtMs: null,
    };
    tx.operatorKeys.save(row);
    forgotten.forEach((each) => tx.operatorKeys.remove(each));
    tx.noteChange({ before: {}, after: { key: id, name, scope, days } });
    return row;
  });
  return { made, key };
}

function refuseKey(why: string): never {
  refuse({ code: "invalid_input", message: `${REFUSED}: ${why}` });
}
