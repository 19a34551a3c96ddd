import { StoreUnavailable } from "../failure.ts";

/** A request that could not be counted is not admitted. */
export function uncounted(why: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `Cannot count the request against its rate limit: ${why}`,
    { cause },
  );
}

/** More want to be counted, or their turn, at once than there is room for. */
export class TooManyWaiting extends StoreUnavailable {
  override readonly isOrdinary = true;

  constructor() {
    super("Too many requests are waiting");
  }
}
