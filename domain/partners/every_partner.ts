import { everyRecord } from "../every_record.ts";
import type { Services } from "../ports.ts";
import type { Partner } from "./partner.ts";

/**
 * Everybody who asked to be a partner, by account. Asking is free, so there may
 * be any number of them before one who is paid.
 */
export function everyPartner(
  { store }: Pick<Services, "store">,
): AsyncGenerator<Partner> {
  return everyRecord((last, limit) =>
    store.listPartners({ limit, after: last?.accountId ?? null })
  );
}
