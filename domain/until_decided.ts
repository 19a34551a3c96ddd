import { Contention } from "./failure.ts";

/** Attempts that may be overtaken before the caller is told to come again. */
const ATTEMPTS_MAX = 10;

/**
 * Decides by what no transaction can list, such as the bids of an account: each
 * attempt reads the list first and checks in its commit that nothing has been
 * added since. One that was overtaken answers null, and the next one begins.
 *
 * @param what what could not be done, for the log
 * @throws {Contention} when every attempt was overtaken
 */
export async function untilDecided<T>(
  what: string,
  attempt: () => Promise<T | null>,
): Promise<T> {
  for (let nth = 0; nth < ATTEMPTS_MAX; nth++) {
    const decided = await attempt();
    if (decided !== null) return decided;
  }
  throw new Contention(`Cannot ${what}: others were faster each time`);
}
