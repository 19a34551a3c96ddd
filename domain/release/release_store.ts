import {
  type ActiveHold,
  type Hold,
  isActiveHold,
  missedAfter,
  notedAfter,
} from "../hold/hold.ts";
import { eraseAgain, noteErased } from "../privacy/erase_again.ts";
import { FACT_MAX } from "../audit/act_as.ts";
import type { Facts } from "../audit/operator_act.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { adoptItem, isAdoptable } from "./adopt_item.ts";
import { readReview, REVIEW_BOUNDS, type ReviewBounds } from "./read_review.ts";
import { itemId, type ReviewItem } from "./review.ts";

/**
 * What is adopted may bring up more, such as what was given back of an invoice
 * that was not known before.
 */
const ROUNDS_MAX = 4;
/** Why something waits for a person that was adopted without any effect. */
const STILL_MISSING = "nothing in the backup is what it belongs to";

/** What a store on hold lacks of what the processor knows. */
export interface HoldReview {
  /** Null for a store that was never restored. */
  hold: Hold | null;
  /** What this store does not know; empty once it is released. */
  items: readonly ReviewItem[];
}

/** The result of a release. */
export interface Release {
  hold: Hold | null;
  /** What was adopted, each by its name. */
  adopted: readonly string[];
  /** What this store still does not know. */
  items: readonly ReviewItem[];
  /** Those of them that keep it on hold: not acknowledged, or not adopted. */
  left: readonly ReviewItem[];
}

/**
 * What the processor knows since the backup, for an operator who may release
 * the store.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function reviewHold(services: Services): Promise<HoldReview> {
  const hold = await services.store.holds.find();
  const items = isActiveHold(hold) ? await readReview(services, hold) : [];
  return { hold, items };
}

/**
 * Adopts what the processor knows and this store does not, and lets the store act
 * again, if an operator has taken note of all the rest. Safe to repeat, and after
 * a crash at any point: the next attempt finds what was adopted, and the store
 * acts only once the last commit stands.
 *
 * @param acknowledged the names of what the operator has taken note of
 * @param erased the accounts that were erased after the backup, as a later one
 * or the log names them; those that the backup names are erased again as well
 * @param note how one of them is noted: with a line of the audit, where an operator
 * named it
 * @param bounds how much of it is read and named; tests choose less
 * @throws {Refused} `invalid_input` for a drill, and for half a restore
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function releaseStore(
  services: Services,
  {
    acknowledged,
    erased = [],
    note = (accountId) => noteErased(services, accountId),
  }: {
    acknowledged: readonly string[];
    erased?: readonly string[];
    note?: (accountId: string) => Promise<void>;
  },
  bounds: ReviewBounds = REVIEW_BOUNDS,
): Promise<Release> {
  const hold = await services.store.holds.find();
  if (!isActiveHold(hold)) return { hold, adopted: [], items: [], left: [] };
  refuseUnreleasable(hold);
  const noted = new Set(acknowledged);
  const { adopted, items } = await adoptAll(services, { hold, noted }, bounds);
  const left = items.filter((item) =>
    isAdoptable(item) || !noted.has(itemId(item))
  );
  if (left.length > 0) return { hold, adopted, items, left };
  // Of a release that is refused nothing is left by which one is erased later.
  for (const accountId of new Set(erased)) await note(accountId);
  // What is left over of before their erasure goes before anything acts.
  await eraseAgain(services);
  const released = await release(services, items);
  return { hold: released, adopted, items, left };
}

function refuseUnreleasable({ kind, isWhole }: ActiveHold): void {
  if (kind === "drill") {
    refuse({
      code: "invalid_input",
      message: "Cannot release the store: it was restored with --drill, " +
        "which is for practice and never released",
    });
  }
  if (!isWhole) {
    refuse({
      code: "invalid_input",
      message: "Cannot release the store: its restore has not been finished, " +
        "run it again",
    });
  }
}

async function adoptAll(
  services: Services,
  { hold, noted }: { hold: ActiveHold; noted: ReadonlySet<string> },
  bounds: ReviewBounds,
): Promise<{ adopted: string[]; items: ReviewItem[] }> {
  const failed = new Map<string, string>();
  const tried = new Set<string>();
  for (let round = 1;; round++) {
    const items = await readReview(services, hold, bounds);
    const open = items.filter(isAdoptable)
      .filter((item) => !failed.has(itemId(item)));
    if (open.length === 0 || round > ROUNDS_MAX) {
      // What is missing after each of its adoptions will be so after the next.
      // More than one release takes over keeps its turn for the next one.
      open.map(itemId).filter((id) => tried.has(id))
        .forEach((id) => failed.set(id, STILL_MISSING));
      return {
        adopted: [...tried].filter((id) => !failed.has(id)),
        items: items.map((item) => explained(item, failed)),
      };
    }
    for (const item of open) {
      const id = itemId(item);
      tried.add(id);
      const missed = itemId({ kind: "not_adopted", item, why: "" });
      const why = await adoptItem(services, item, noted.has(missed));
      if (why !== null) failed.set(id, why);
    }
  }
}

/** What could not be adopted waits for a person like all the rest. */
function explained(
  item: ReviewItem,
  failed: ReadonlyMap<string, string>,
): ReviewItem {
  const why = failed.get(itemId(item));
  return why === undefined || !isAdoptable(item)
    ? item
    : { kind: "not_adopted", item, why };
}

async function release(
  { store, clock, log }: Services,
  items: readonly ReviewItem[],
): Promise<Hold | null> {
  const acknowledged = items.map(itemId);
  const missed = items.flatMap((each) =>
    each.kind === "not_adopted" && each.item.kind !== "day_sold"
      ? [itemId(each.item)]
      : []
  );
  const released = await store.transact(async (tx) => {
    const hold = await tx.holds.find();
    if (!isActiveHold(hold)) return hold;
    const next: Hold = {
      ...hold,
      releasedAtMs: clock.now(),
      acknowledged: notedAfter(hold, acknowledged),
      ...missedAfter(hold, missed),
    };
    tx.holds.save(next);
    tx.noteChange({
      before: { on_hold: true },
      after: {
        on_hold: false,
        acknowledged: acknowledged.length,
        ...namedIn(acknowledged),
      },
    });
    return next;
  });
  log.info("hold.released", { acknowledged: acknowledged.length });
  return released;
}

/** What was acknowledged, by name, in so many members as the audit has room for. */
function namedIn(names: readonly string[]): Facts {
  const texts: string[] = [];
  for (const name of names) {
    const text = texts.at(-1);
    const longer = `${text}, ${name}`;
    if (text === undefined || longer.length > FACT_MAX) texts.push(name);
    else texts[texts.length - 1] = longer;
  }
  return Object.fromEntries(
    texts.map((text, at) => [`acknowledged_${at + 1}`, text]),
  );
}
