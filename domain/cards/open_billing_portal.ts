import {
  bindAnswer,
  type BoundAnswer,
  boundAnswer,
} from "../idempotency/bound_answer.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import { taken } from "../payments/taken.ts";
import type { Services } from "../ports.ts";
import { sha256Text } from "../sha256.ts";
import { knownCustomer } from "./known_customer.ts";
import { BILLING_RETURN } from "./start_card_setup.ts";
import { lookedAtBy, newWallet } from "./wallet.ts";

/** Whose portal, and by which request. */
export interface OpenBillingPortal {
  accountId: string;
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
}

/** How soon the cards are looked at when the user does not come back. */
const LOOK_MS = 15 * 60_000;

/**
 * A link to the processor's billing portal, for the user and for a few minutes.
 * Cards may change there, so they are looked at afterwards in any case. A
 * repeat is answered with the same link, whose minutes may be over.
 *
 * @returns the answer `{url}`
 * @throws {Refused} `idempotency_conflict`, and as `knownCustomer()`
 * @throws {TemporaryFailure} when the processor gives no link now
 */
export async function openBillingPortal(
  services: Services,
  { accountId, binding }: OpenBillingPortal,
): Promise<BoundAnswer> {
  const { store, processor, settings } = services;
  const before = await store.transact((tx) => boundAnswer(tx, binding));
  if (before !== null) return { answer: before, replayed: true };
  const customerId = await knownCustomer(services, { accountId });
  const returnUrl = `${settings.baseUrl}${BILLING_RETURN}`;
  const key = callKey(services, binding);
  const { url } = taken(
    services,
    "open the billing portal",
    await processor.createBillingPortal({ customerId, returnUrl }, key),
  );
  return await record(services, { accountId, binding }, url);
}

/** The portal's address as an answer holds it. */
export function portalUrlOf({ answer }: BoundAnswer): string {
  const { url } = JSON.parse(answer.body) as { url: string };
  return url;
}

/** One call for all repeats of a request, those at the same time too. */
function callKey({ ids }: Services, binding: Binding | null): string {
  if (binding === null) return `portal:${ids.next("portal")}`;
  const { owner, operation, key } = binding;
  const text = JSON.stringify([owner, operation, key]);
  return `portal:${sha256Text(text, "hex")}`;
}

function record(
  { store, clock }: Services,
  { accountId, binding }: OpenBillingPortal,
  url: string,
): Promise<BoundAnswer> {
  const answer = { status: 200, body: JSON.stringify({ url }) };
  return store.transact(async (tx) => {
    const stored = await boundAnswer(tx, binding);
    if (stored !== null) return { answer: stored, replayed: true };
    const nowMs = clock.now();
    bindAnswer(tx, binding, answer, nowMs + IDEMPOTENCY_LONG_MS);
    const wallet = await tx.wallets.find(accountId) ?? newWallet(accountId);
    tx.wallets.save(lookedAtBy(wallet, nowMs + LOOK_MS));
    return { answer, replayed: false };
  });
}
