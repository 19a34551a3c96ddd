import type { AcceptedTerms } from "../accounts/terms.ts";
import type {
  AccountWaitsFor,
  ProcessorAccount,
} from "../payments/processor_partners.ts";
import type { TransitionTable } from "../state_machine.ts";

/** How an account stands in the partner programme. */
export type PartnerState = "applied" | "approved" | "refused" | "ended";

/** Who was refused may apply again, and who was ended be approved again. */
export const PARTNER_STATES: TransitionTable<PartnerState> = {
  applied: ["approved", "refused"],
  refused: ["applied"],
  approved: ["ended"],
  ended: ["approved"],
};

/** Where a partner is paid: an account of its own at the processor. */
export interface ConnectedAccount {
  /** The processor's id. */
  id: string;
  createdAtMs: number;
  /** Whether its owner has given the processor all that it asks for. */
  detailsSubmitted: boolean;
  /** Whether money can be transferred to it, as the processor last said. */
  payoutsEnabled: boolean;
  /** What it waits for until then; null for nothing. Absent in older rows. */
  waitsFor?: AccountWaitsFor | null;
  /** When the processor was last asked. */
  syncedAtMs: number;
}

/** The account as the processor says that it is. */
export function connectedAccountOf(
  { id, detailsSubmitted, payoutsEnabled, waitsFor }: ProcessorAccount,
  createdAtMs: number,
  syncedAtMs: number,
): ConnectedAccount {
  return {
    id,
    createdAtMs,
    detailsSubmitted,
    payoutsEnabled,
    waitsFor,
    syncedAtMs,
  };
}

/** An account in the partner programme. */
export interface Partner {
  accountId: string;
  state: PartnerState;
  /** The terms of the programme, as they were accepted last. */
  terms: AcceptedTerms;
  /** Where the partner wants to recommend Spotlight, in its own words. */
  pitch: string;
  appliedAtMs: number;
  /** When an operator decided last; null while none has. */
  decidedAtMs: number | null;
  /** The operator's words about it, which the partner is told. */
  reason: string | null;
  /** Links it has made: bounds them. */
  links: number;
  /** Null until its set-up at the processor was begun. */
  connectedAccount: ConnectedAccount | null;
  /** What the processor was asked to make; absent before, and once it said no. */
  accountAsked?: AccountAsked;
}

/** An account that the processor was asked to make for a partner. */
export interface AccountAsked {
  country: string;
  atMs: number;
}

/**
 * Whether the account is a verified partner: approved by an operator, and with
 * an account at the processor that can be paid (docs/affiliate.md).
 */
export function isVerifiedPartner(
  { state, connectedAccount }: Pick<Partner, "state" | "connectedAccount">,
): boolean {
  return state === "approved" && connectedAccount?.payoutsEnabled === true;
}

/**
 * What is left of a partner whose account is erased while the processor keeps an
 * account of it, since money lies there: that one's id, and since when there may
 * be others, by which they are deleted.
 */
export function emptiedPartner(
  { accountId, appliedAtMs, connectedAccount }: Partner,
): Partner {
  return {
    accountId,
    state: "ended",
    // Stands where a text was taken away: earlier versions expect one there.
    terms: { version: "", acceptedAtMs: 0 },
    pitch: "",
    appliedAtMs,
    decidedAtMs: null,
    reason: null,
    links: 0,
    connectedAccount: connectedAccount && {
      id: connectedAccount.id,
      createdAtMs: connectedAccount.createdAtMs,
      detailsSubmitted: false,
      payoutsEnabled: false,
      syncedAtMs: connectedAccount.syncedAtMs,
    },
  };
}

/** Where an account stands in one of the desk's lists of partners. */
export interface PartnerPlace {
  /** When it applied, while it waits; afterwards when it was decided last. */
  atMs: number;
  accountId: string;
}

/** The account's place in the list that its state puts it in. */
export function partnerPlace(
  { state, accountId, appliedAtMs, decidedAtMs }: Partner,
): PartnerPlace {
  const isWaiting = state === "applied";
  const atMs = isWaiting ? appliedAtMs : decidedAtMs ?? appliedAtMs;
  return { atMs, accountId };
}
