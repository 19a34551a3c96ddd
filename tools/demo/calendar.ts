import { addDays, type Day } from "../../domain/day.ts";
import { chanceOf } from "./chance.ts";

/** One day in five goes to a house advertisement. */
const BLOCK = 5;

/** What became of a past day. */
export interface DayPlan {
  day: Day;
  kind: "paid" | "house";
  removed: boolean;
}

/**
 * The days before `today`, oldest first: so many public ones and one removed
 * besides. The newest is a paid one, so that something current is for sale.
 */
export function planDays(
  { seed, today, publicDays }: {
    seed: string;
    today: Day;
    publicDays: number;
  },
): DayPlan[] {
  const count = publicDays + 1;
  const removedAgo = Math.floor(count / 2) + 1;
  const houseAgo = new Set<number>();
  const chance = chanceOf(`${seed}|calendar`);
  for (let block = 1; block + BLOCK <= count + 1; block += BLOCK) {
    const days = Array.from({ length: BLOCK }, (_, at) => block + at);
    houseAgo.add(
      chance.pick(days.filter((ago) => ago !== 1 && ago !== removedAgo)),
    );
  }
  return Array.from({ length: count }, (_, at): DayPlan => {
    const ago = count - at;
    return {
      day: addDays(today, -ago),
      kind: houseAgo.has(ago) ? "house" : "paid",
      removed: ago === removedAgo,
    };
  });
}
