import type { Services } from "./ports.ts";

/** What of a store other services do differently. */
type StoreChanges = Partial<Pick<Services["store"], "transact" | "listEvents">>;

/**
 * The same services with a store that does these things differently. It inherits
 * whatever else the store does, since a bid would copy its many members twice. So a
 * store must not be spread, which would leave out what is inherited.
 */
export function withStore<S extends Pick<Services, "store">>(
  services: S,
  changes: StoreChanges,
): S {
  const store = Object.assign(Object.create(services.store), changes);
  return { ...services, store };
}
