/** Of the account itself, and how one signs in to it. */
import type { Account } from "../accounts/account.ts";
import { requireAccount } from "../accounts/require_account.ts";
import { isoOrNull, isoTime } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import { browserOf } from "../sessions/browser_name.ts";
import { SESSIONS_LISTED_MAX } from "../sessions/list_sessions.ts";
import type { Exported, ExportServices } from "./exported.ts";

/** Lines of a history; nobody has as many. */
const NOTES_MAX = 10_000;

/** The account, its company, choices, and what operators decided about it. */
export async function accountSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const account = await requireAccount(store, accountId);
  const notes = await store.listAccountNotes(accountId, { limit: NOTES_MAX });
  return {
    ...accountFacts(account),
    company: companyFacts(account),
    vat: vatFacts(account),
    standing: standingFacts(account),
    decided_by_operators: notes.toReversed().map((note) => ({
      what: note.event,
      at: isoTime(note.atMs),
      reason: note.reason,
    })),
  };
}

function accountFacts(account: Account): Record<string, Json> {
  const { terms } = account;
  return {
    id: account.id,
    email: account.email,
    made_at: isoTime(account.createdAtMs),
    terms_accepted: terms === undefined ? null : {
      version: terms.version,
      at: isoTime(terms.acceptedAtMs),
    },
    mails_switched_off: [...account.mutedMails ?? []],
    is_partner: account.partner,
    days_won_and_paid: account.paidWins,
    ads_submitted: account.submissions ?? 0,
    agents_connected: account.consents ?? 0,
    customer_at_the_payment_processor: account.processorCustomerId,
    card_that_is_charged: account.defaultPaymentMethodId,
  };
}

function companyFacts({ company, rename }: Account): Json {
  if (company === null) return null;
  const { name, country, vatId, address } = company;
  return {
    name,
    country,
    vat_id: vatId,
    line1: address.line1,
    postal_code: address.postalCode,
    city: address.city,
    name_asked_for: rename === undefined ? null : {
      name: rename.name,
      at: isoTime(rename.askedAtMs),
      in_the_register: rename.registered ?? null,
      refused_because: rename.refusal ?? null,
    },
  };
}

function vatFacts(account: Account): Json {
  const { vatCheck, vatCase, vatDoubt, vatRefusals = [] } = account;
  return {
    status: account.vatStatus,
    held_since: isoOrNull(account.vatHeldAtMs),
    last_check: vatCheck === undefined ? null : {
      vat_id: vatCheck.vatId,
      outcome: vatCheck.outcome,
      at: isoOrNull(vatCheck.atMs),
      consultation_number: vatCheck.consultation,
      name_in_the_register: vatCheck.name ?? null,
    },
    waits_for_an_operator_since: isoOrNull(vatCase?.sinceMs),
    called_invalid_by_the_register_since: isoOrNull(vatDoubt?.sinceMs),
    refused: vatRefusals.map(({ vatId, name, reason }) => ({
      vat_id: vatId,
      name,
      reason,
    })),
  };
}

function standingFacts(account: Account): Json {
  return {
    suspended_at: isoOrNull(account.suspendedAtMs),
    suspended_because: account.suspensionReason ?? null,
    disputes_that_block: [...account.blockingDisputes ?? []],
    dispute_lost_at: isoOrNull(account.disputeLostAtMs),
    card_refused: account.cardRefused,
    fingerprints_of_refused_cards: [...account.refusedFingerprints ?? []],
  };
}

/** Passkeys and browsers: no key and nothing that signs in. */
export async function signInSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const credentials = await store.credentials.find(accountId);
  const sessions = await store.listSessions(accountId, {
    limit: SESSIONS_LISTED_MAX,
  });
  return {
    passkeys: (credentials?.passkeys ?? []).map((passkey) => ({
      id: passkey.id,
      name: passkey.name,
      synced: passkey.backedUp,
      model: passkey.aaguid,
      reached_by: [...passkey.transports],
      added_at: isoTime(passkey.createdAtMs),
      last_used_at: isoOrNull(passkey.lastUsedAtMs),
    })),
    browsers: sessions.map((session) => ({
      name: browserOf(session),
      what_it_called_itself: session.userAgent ?? null,
      since: isoTime(session.createdAtMs),
      last_used_at: isoTime(session.lastUsedAtMs),
      ends_at: isoTime(session.expiresAtMs),
    })),
  };
}
