import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import type { PaymentMethod } from "../../../domain/accounts/account.ts";
import {
  type DeskAccount,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { listLiveDays } from "../../../domain/bids/list_live_bids.ts";
import { CARDS_READ_MAX, usableCards } from "../../../domain/cards/card.ts";
import type { Day } from "../../../domain/day.ts";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import type { IdentityCheck } from "../../../domain/identity/identity_check.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { listOwnInvoices } from "../../../domain/invoices/list_own_invoices.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import {
  type GrantState,
  grantState,
} from "../../../domain/oauth/grant_state.ts";
import type { Services } from "../../../domain/ports.ts";
import { readUnderSeal } from "../../../domain/settlement/under_seal.ts";
import { refuse } from "../../../domain/refusal.ts";
import { readLatestActs } from "./audit_lines.tsx";
import { readAll } from "../../../domain/read_all.ts";

/** Invoices and agents that are shown, the newest of each. */
const SHOWN_MAX = 20;

/** An agent that an account is connected to, or was. */
export interface DeskAgent {
  grant: Grant;
  state: GrantState;
}

/** All that operators are shown of an account. */
export interface AccountView extends DeskAccount {
  identity: IdentityCheck | null;
  cards: readonly PaymentMethod[];
  /** The days on which a bid of it stands. */
  liveDays: readonly Day[];
  /** Of days that have settled. */
  invoices: readonly Invoice[];
  /** Those that keep it from bidding. */
  disputes: readonly Dispute[];
  /** Payments whose amount is not told, as their day has not settled. */
  sealedPayments: ReadonlySet<string>;
  agents: readonly DeskAgent[];
  /** What operators did about it last. */
  acts: readonly OperatorAct[];
}

/**
 * An account with what belongs to it.
 *
 * @throws {Refused} `account_not_found`
 */
export async function readAccountView(
  services: Pick<Services, "store" | "clock" | "settings">,
  { accountId }: { accountId: string },
): Promise<AccountView> {
  const { store, clock } = services;
  const desk = await readDeskAccount(services, { accountId });
  const [identity, cards, liveDays, sealed, invoices, disputes, grants, acts] =
    await Promise
      .all([
        store.identityChecks.find(accountId),
        store.listPaymentMethods(accountId, { limit: CARDS_READ_MAX }),
        listLiveDays(services, { accountId }),
        readUnderSeal(services),
        listOwnInvoices(services, {
          accountId,
          limit: SHOWN_MAX,
          before: null,
        }),
        readAll(
          store,
          disputesOf(desk).map((disputeId) => store.disputes.ref(disputeId)),
        ),
        store.listNewestGrants(accountId, { limit: SHOWN_MAX, before: null }),
        readLatestActs(services, accountId),
      ]);
  const nowMs = clock.now();
  return {
    ...desk,
    identity,
    cards: usableCards(cards),
    liveDays,
    invoices: invoices.filter(({ day }) => !sealed.days.has(day)),
    sealedPayments: sealed.paymentIds,
    acts,
    disputes: disputes.filter((dispute) => dispute !== null),
    agents: grants.map((grant) => ({ grant, state: grantState(grant, nowMs) })),
  };
}

/** The disputes that block an account, each once. */
function disputesOf(
  { account }: Pick<DeskAccount, "account">,
): string[] {
  const { blockingDisputes = [], lostDisputes = [] } = account;
  return [...new Set([...blockingDisputes, ...lostDisputes])];
}

/**
 * Checks that a dispute is one of those that block an account.
 *
 * @throws {Refused} `account_not_found`, `not_found`
 */
export async function requireDispute(
  services: Pick<Services, "store" | "settings">,
  { accountId, disputeId }: { accountId: string; disputeId: string },
): Promise<void> {
  const desk = await readDeskAccount(services, { accountId });
  if (disputesOf(desk).includes(disputeId)) return;
  refuse({ code: "not_found", message: "Cannot find the dispute" });
}
