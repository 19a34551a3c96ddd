import { StoreUnavailable } from "../failure.ts";

/** A request that could not be counted is not admitted. */
export function uncounted(why: string, cause?: unknown): StoreUnavailable {
  const message = `Cannot count the request against its rate limit: ${why}`;
  return new StoreUnavailable(message, { cause });
}
