import { isOperator } from "../accounts/eligibility.ts";
import { noteUse } from "../note_use.ts";
import type { InTurn } from "../operations/transact_in_turn.ts";
import type { Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";
import { isGood, type OperatorKey } from "./operator_key.ts";

/** The id that a key begins with, and its secret. */
const KEY_SHAPE = /^(opk_[a-z0-9]{20})_[A-Za-z0-9_-]{43}$/;
/** How often the last use of a key is written at most. */
const NOTED_EVERY_MS = 3_600_000;

/**
 * The row of a key that is good: not ended, in its time, and its maker an
 * operator still. Null for any other text. Two hashes that differ are compared
 * as texts: how long that takes tells of the hash alone, never of the key.
 */
export async function findGoodKey(
  { store, clock, settings }: Pick<Services, "store" | "clock" | "settings">,
  key: string,
): Promise<OperatorKey | null> {
  const [, id] = KEY_SHAPE.exec(key) ?? [];
  if (id === undefined) return null;
  const found = await store.operatorKeys.find(id);
  if (found === null || found.hash !== sha256Hex(key)) return null;
  if (!isGood(found, clock.now())) return null;
  const maker = await store.accounts.find(found.accountId);
  return maker !== null && isOperator(maker, settings) ? found : null;
}

/** Notes that a key is in use, to the hour. */
export async function noteKeyUse(
  { store, clock }: Pick<Services, "store" | "clock">,
  key: OperatorKey,
  inTurn: InTurn,
): Promise<void> {
  if (!isDue(key, clock.now())) return;
  const note = () =>
    store.transact(async (tx) => {
      const present = await tx.operatorKeys.find(key.id);
      const nowMs = clock.now();
      if (present === null || !isDue(present, nowMs)) return;
      tx.operatorKeys.save({ ...present, lastUsedAtMs: nowMs });
    });
  await noteUse(inTurn, note);
}

function isDue({ lastUsedAtMs }: OperatorKey, nowMs: number): boolean {
  return nowMs - (lastUsedAtMs ?? -Infinity) >= NOTED_EVERY_MS;
}
