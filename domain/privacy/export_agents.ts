import { type CheckoutSession, sessionAt } from "../checkout/session.ts";
import type { Callback } from "../callbacks/callback.ts";
import { everyRecord } from "../every_record.ts";
import { isoOrNull, isoTime } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import type { Grant } from "../oauth/grant.ts";
import { readAll } from "../read_all.ts";
import type { Exported, ExportServices } from "./exported.ts";

/** More than an account has: those that are over are kept up to 300. */
const GRANTS_MAX = 1_000;

/** The agents that were connected, what they may do, and where they are told. */
export async function agentsSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const grants = await store.listGrants(accountId, { limit: GRANTS_MAX });
  const callbacks = await readAll(
    store,
    grants.map(({ id }) => store.callbacks.ref(id)),
  );
  return grants.map((grant, at) => ({
    ...grantFacts(grant),
    webhook: callbackFacts(callbacks[at] ?? null),
  }));
}

/** The reports that agents bought, or began to; who paid is not known. */
export async function* checkoutsSection(
  { store, clock }: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  const grants = await store.listGrants(accountId, { limit: GRANTS_MAX });
  for (const { id: agent } of grants) {
    const sessions = everyRecord<CheckoutSession>((last, limit) =>
      store.listCheckoutSessions(agent, { limit, after: last?.id ?? null })
    );
    for await (const session of sessions) {
      yield checkoutFacts(sessionAt(session, clock.now()));
    }
  }
}

function checkoutFacts(
  { id, grantId: agent, day, status, createdAtMs, updatedAtMs, attempts }:
    CheckoutSession,
): Json {
  return {
    id,
    agent,
    report_of: day,
    status,
    payments_tried: attempts,
    made_at: isoTime(createdAtMs),
    changed_at: isoTime(updatedAtMs),
  };
}

function grantFacts(grant: Grant): Record<string, Json> {
  const { client, mandate } = grant;
  return {
    id: grant.id,
    client: grant.clientId,
    name: client.name,
    host: client.host,
    sent_back_to: client.redirectHost,
    may: [...grant.scopes],
    at: [...grant.resources],
    spending_limits: mandate === null ? null : {
      a_bid_cents: mandate.maxBidCents,
      a_day_cents: mandate.dailyCapCents,
      in_all_cents: mandate.totalCapCents ?? null,
      used_in_all_cents: grant.totalUse?.usedCents ?? null,
      until: isoTime(mandate.validUntilMs),
    },
    connected_at: isoTime(grant.createdAtMs),
    allowed_last_at: isoTime(grant.allowedAtMs ?? grant.createdAtMs),
    used_last_at: isoOrNull(grant.lastUsedAtMs),
    revoked_at: isoOrNull(grant.revokedAtMs),
    revoked_by: grant.revokedReason,
  };
}

function callbackFacts(callback: Callback | null): Json {
  if (callback === null) return null;
  return {
    // Those of other agents may have a secret in their path.
    origin: new URL(callback.url).origin,
    switched_off_because: callback.off,
    last_messages: callback.deliveries.map(({ type, atMs, status }) => ({
      type,
      at: isoTime(atMs),
      answered: status,
    })),
  };
}
