import { invariant } from "./invariant.ts";

/** Every state with the states that may follow it. */
export type TransitionTable<S extends string> = Readonly<
  Record<S, readonly S[]>
>;

/** The next state, or a broken invariant where the table has no such arrow. */
export function advance<S extends string>(
  table: TransitionTable<S>,
  from: S,
  to: S,
): S {
  invariant(table[from].includes(to), `no transition from ${from} to ${to}`);
  return to;
}
