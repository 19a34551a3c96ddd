import type { Services } from "../../domain/ports.ts";
import { withStore } from "../../domain/with_store.ts";

/** The commit that begins: that of the lease is the first. */
export const BEGINS = 2;

/** Services of which something else comes right before or after the n-th commit. */
export function atCommit(
  services: Services,
  when: "before" | "after",
  nth: number,
  happens: () => Promise<unknown>,
): Services {
  const { store } = services;
  let commits = 0;
  const transact: typeof store.transact = async (verb) => {
    commits += 1;
    const isIt = commits === nth;
    if (isIt && when === "before") await happens();
    const done = await store.transact(verb);
    if (isIt && when === "after") await happens();
    return done;
  };
  return withStore(services, { transact });
}
