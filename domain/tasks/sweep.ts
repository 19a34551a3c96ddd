import type { Clock } from "../ports.ts";

/** Jobs run every minute, and their runs hardly overlap. */
const BEGIN_WITHIN_MS = 45_000;

/** One run of a job over what is due. */
export interface Sweep<Item> {
  /** What is due, in its order, as much of it as one round takes. */
  due(nowMs: number): Promise<readonly Item[]>;
  /** Items that are worked on at the same time; one if left out. */
  lanes?: number;
  /** Nothing is begun later than this, ms; 45 s if left out. */
  beginWithinMs?: number;
  /** Rounds of one run; one if left out. */
  rounds?: number;
  /** Does one; `stop` begins no other. */
  attempt(item: Item): Promise<void | "stop">;
  /** Deals with what an attempt threw; if left out, the job ends by throwing it. */
  failed?(item: Item, error: unknown): void | Promise<void>;
}

/**
 * Works on what is due, some at a time, as far as one run goes; the next run
 * goes on from there. One item's trouble never keeps the others waiting.
 *
 * @returns how many attempts threw; then no further round was begun, as it
 * would list the same
 * @throws the first failure, once all were tried, if nothing deals with them
 */
export async function sweep<Item>(
  clock: Clock,
  { due, rounds = 1, beginWithinMs = BEGIN_WITHIN_MS, ...each }: Sweep<Item>,
): Promise<number> {
  const untilMs = clock.now() + beginWithinMs;
  const failures: unknown[] = [];
  for (let round = 0; round < rounds; round++) {
    const items = await due(clock.now());
    if (items.length === 0) break;
    await workThrough(items, each, failures, () => clock.now() > untilMs);
    if (failures.length > 0 || clock.now() > untilMs) break;
  }
  if (failures.length > 0 && each.failed === undefined) throw failures[0];
  return failures.length;
}

async function workThrough<Item>(
  items: readonly Item[],
  { lanes = 1, attempt, failed }: Omit<Sweep<Item>, "due">,
  failures: unknown[],
  isLate: () => boolean,
): Promise<void> {
  const queue = items.values();
  let isOver = false;
  const lane = async () => {
    for (const item of queue) {
      try {
        isOver ||= await attempt(item) === "stop";
      } catch (error) {
        failures.push(error);
        await failed?.(item, error);
      }
      if (isOver || isLate()) return;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
