import { StoreUnavailable } from "../failure.ts";

/** A request that could not be counted is not admitted. */
export function uncounted(why: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(messageOf(why), { cause });
}

/** More want to be counted at once than there is room for. */
export class TooManyWaiting extends StoreUnavailable {
  override readonly isOrdinary = true;

  constructor() {
    super(messageOf("too many requests are waiting"));
  }
}

function messageOf(why: string): string {
  return `Cannot count the request against its rate limit: ${why}`;
}
