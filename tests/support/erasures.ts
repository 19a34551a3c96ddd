/** Erasures that are asked for and confirmed, as their tests need them. */
import { assert } from "@std/assert";
import { mailedTo } from "../../domain/accounts/mailed_to.ts";
import { DAY_MS } from "../../domain/day.ts";
import { fulfilRequests } from "../../domain/privacy/fulfil_requests.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../domain/privacy/request_erasure.ts";
import type { Services } from "../../domain/ports.ts";
import type { ManualClock } from "./clock.ts";
import { saveSession } from "./sessions.ts";

/** Has the owner ask for the erasure in a browser, and follow the mailed link. */
export async function askForErasure(
  services: Services,
  accountId: string,
): Promise<void> {
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestErasure(services, asked);
  const erasure = await readErasure(services, accountId);
  const account = await services.store.accounts.find(accountId);
  if (erasure === null || account === null) throw new Error("It was asked for");
  const to = mailedTo(account);
  await confirmErasure(services, { accountId, erasureId: erasure.id, to });
}

/** Has the account erased at its owner's wish, a week later. */
export async function eraseOwn(
  services: Services,
  clock: ManualClock,
  accountId: string,
): Promise<void> {
  await askForErasure(services, accountId);
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  assert(await services.store.erasedAccounts.find(accountId) !== null);
}
