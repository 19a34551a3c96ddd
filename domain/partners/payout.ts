import type { TransitionTable } from "../state_machine.ts";
import { isDue } from "../tasks/due.ts";
import type { Month } from "../month.ts";

/** How far a payout has come. */
export type PayoutState =
  /** Asked for; the processor was not told yet, or has said no for now. */
  | "requested"
  /** The processor was told, or may have been: its amount stays. */
  | "sending"
  | "paid"
  /** The processor refused it for good, and no money left us. */
  | "failed"
  /** Too much was taken back, or the account suspended, before it was sent. */
  | "canceled"
  /** All of it came back. */
  | "returned";

/** The way of a payout. */
export const PAYOUT_STATES: TransitionTable<PayoutState> = {
  requested: ["sending", "canceled"],
  sending: ["requested", "paid", "failed"],
  paid: ["returned"],
  failed: [],
  canceled: [],
  returned: [],
};

/** The trouble of a payout that was not sent as the account was suspended. */
export const HELD_BACK = "suspended";

/** A transfer of commission to a partner's account at the processor. */
export interface Payout {
  id: string;
  /** The partner's account. */
  partnerId: string;
  state: PayoutState;
  /** Cents. */
  amountCents: number;
  /** The commissions up to this month are in it, or in an earlier one. */
  throughMonth: Month;
  /** The last month that was paid before it. */
  afterMonth: Month | null;
  requestedAtMs: number;
  /** The connected account that it goes to. */
  destination: string;
  /** The processor's transfer; null until it is known. */
  transferId: string | null;
  paidAtMs: number | null;
  /** What of it came back, cents. */
  returnedCents: number;
  /** When sending is tried next; during an attempt, when its lease ends. */
  dueAtMs: number;
  /** Attempts so far. */
  attempts: number;
  /**
   * When the processor was last asked to send it; absent before that, and where
   * it was not kept yet.
   */
  sentAtMs?: number;
  /** How often the processor said no: a part of its idempotency keys. */
  refusals: number;
  /** Why the last attempt was in vain; null when none was. */
  trouble: string | null;
}

/** What is known of a payout when it is asked for. */
type Asked = Pick<
  Payout,
  | "id"
  | "partnerId"
  | "amountCents"
  | "throughMonth"
  | "afterMonth"
  | "requestedAtMs"
  | "destination"
  | "dueAtMs"
>;

/** A payout as it is asked for. */
export function newPayout(asked: Asked): Payout {
  return {
    ...asked,
    state: "requested",
    transferId: null,
    paidAtMs: null,
    returnedCents: 0,
    attempts: 0,
    refusals: 0,
    trouble: null,
  };
}

/** Longer than all the calls of one attempt to send can take together. */
export const PAYOUT_LEASE_MS = 90_000;

/** When sending is tried next; null where it is not. */
export function payoutDueAtMs({ state, dueAtMs }: Payout): number | null {
  return state === "requested" || state === "sending" ? dueAtMs : null;
}

/** The longest pause between two attempts. */
export const PAYOUT_PAUSE_MAX_MS = 3_600_000;

/** Whether its turn has come, with leases and pauses by a clock that is right. */
export function isPayoutDue(payout: Payout, nowMs: number): boolean {
  return isDue(payoutDueAtMs(payout), nowMs, PAYOUT_PAUSE_MAX_MS);
}

/** Where a payout is among its partner's. */
export type PayoutPlace = Pick<Payout, "requestedAtMs" | "id">;
