import {
  type Answered,
  done,
  findReplay,
  reserveKey,
  storeAnswer,
  storedAnswer,
} from "../idempotency/answer_once.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services, Transaction } from "../ports.ts";
import { TemporaryFailure } from "../failure.ts";
import { sha256Hex } from "../sha256.ts";
import { ensureCustomer } from "./ensure_customer.ts";
import { BILLING_RETURN } from "./start_card_setup.ts";
import { refuse } from "../refusal.ts";
import {
  AGENTS_PORTALS_AN_HOUR,
  cardsStateOf,
  PORTALS_AN_HOUR,
  portalWaitMs,
  recentPortals,
  withSyncDueBy,
} from "./cards_state.ts";

/** Whose portal, and by which request. */
export interface OpenBillingPortal {
  accountId: string;
  /** Who is given the link; nobody is who lost the right meanwhile. */
  by: Authority;
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
}

/** The portal, for a few minutes. */
export interface Portal {
  url: string;
}

/** How soon the cards are synced when the user does not come back. */
const SYNC_MS = 15 * 60_000;
/**
 * How long a request has its key to itself: longer than its calls to the
 * processor may take, and all that a crash costs the next repeat.
 */
/** How long a request for a link is under way at most. */
export const IN_FLIGHT_MS = 45_000;

/**
 * A link to the processor's billing portal, for the user and for a few minutes.
 * Cards may change there, so they are synced afterwards in any case. A
 * repeat is answered with the same link, whose minutes may be over.
 *
 * @returns the answer `{url}`
 * @throws {Refused} `idempotency_conflict`, `idempotency_in_flight`,
 * `rate_limited`, and as `ensureCustomer()` and `requireAuthority()`
 * @throws {TemporaryFailure} when the processor gives no link now
 */
export async function openBillingPortal(
  services: Services,
  input: OpenBillingPortal,
): Promise<Answered<Portal>> {
  const { binding } = input;
  const before = await begin(services, input);
  if (before !== null) return before;
  try {
    const url = await portalUrl(services, input);
    return await record(services, input, url);
  } catch (thrown) {
    await release(services, binding);
    throw thrown;
  }
}

async function portalUrl(
  services: Services,
  { accountId, by, binding }: OpenBillingPortal,
): Promise<string> {
  const { processor, settings } = services;
  await countPortal(services, accountId, by);
  const customerId = await ensureCustomer(services, { accountId });
  const returnUrl = `${settings.baseUrl}${BILLING_RETURN}`;
  const key = callKey(services, binding);
  const { url } = acceptedValue(
    services,
    "open the billing portal",
    await processor.createBillingPortal({ customerId, returnUrl }, key),
  );
  return url;
}

/**
 * Counts a call before it is made, for the account: an account has many agents
 * with a bucket each, and the processor takes so many calls of ours in all, the
 * charges of a settlement among them. They leave some to the person whose it is.
 */
function countPortal(
  { store, clock }: Services,
  accountId: string,
  by: Authority,
): Promise<void> {
  const most = "grant" in by ? AGENTS_PORTALS_AN_HOUR : PORTALS_AN_HOUR;
  return store.transact(async (tx) => {
    const cardsState = await cardsStateOf(tx, accountId);
    const nowMs = clock.now();
    const waitMs = portalWaitMs(cardsState, most, nowMs);
    if (waitMs > 0) {
      const retryAfterS = Math.ceil(waitMs / 1_000);
      refuse({ code: "rate_limited", retryAfterS, of: "account" });
    }
    const portals = [...recentPortals(cardsState, nowMs), nowMs];
    tx.wallets.save({ ...cardsState, portals });
  });
}

/** Takes the key, so that a repeat meanwhile is told that it is in flight. */
function begin(
  { store, clock }: Services,
  { by, binding }: OpenBillingPortal,
): Promise<Answered<Portal> | null> {
  return store.transact(async (tx) => {
    const before = await findReplay<Portal>(tx, binding);
    if (before !== null) await requireAuthority(tx, by);
    if (before !== null || binding === null) return before;
    reserveKey(tx, binding, clock.now() + IN_FLIGHT_MS);
    return null;
  });
}

/**
 * Frees the key of a request that came to nothing: only a success binds it. A
 * store that fails as well leaves that to the key's time.
 */
async function release(
  { store }: Services,
  binding: Binding | null,
): Promise<void> {
  if (binding === null) return;
  const { owner, operation, key } = binding;
  try {
    await store.transact(async (tx) => {
      const record = await tx.idempotency.find(owner, operation, key);
      if (record?.answer === null) tx.idempotency.remove(record);
    });
  } catch (error) {
    if (!(error instanceof TemporaryFailure)) throw error;
  }
}

/** One call for all repeats of a request, those at the same time too. */
function callKey({ ids }: Services, binding: Binding | null): string {
  if (binding === null) return `portal:${ids.next("portal")}`;
  const { owner, operation, key } = binding;
  const text = JSON.stringify([owner, operation, key]);
  return `portal:${sha256Hex(text)}`;
}

/** What another isolate answered, which had the key after us. */
async function answeredTo(
  tx: Transaction,
  binding: Binding,
): Promise<Answered<Portal> | null> {
  const { owner, operation, key } = binding;
  return storedAnswer(
    await tx.idempotency.find(owner, operation, key),
    binding,
  );
}

function record(
  { store, clock }: Services,
  { accountId, by, binding }: OpenBillingPortal,
  url: string,
): Promise<Answered<Portal>> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const stored = binding && await answeredTo(tx, binding);
    if (stored) return stored;
    const nowMs = clock.now();
    const cardsState = await cardsStateOf(tx, accountId);
    tx.wallets.save(withSyncDueBy(cardsState, nowMs + SYNC_MS));
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
    return storeAnswer(tx, keeping, done({ url }));
  });
}
