import { DAY_MS } from "../day.ts";
import type { TransitionTable } from "../state_machine.ts";

/** How long there is to change one's mind: 7 days. */
export const ERASURE_WAIT_MS = 7 * DAY_MS;
/** How long the link that confirms it is good for. */
export const CONFIRM_WITHIN_MS = DAY_MS;
/** Whoever asks again is mailed again after so long. */
export const MAILED_AGAIN_MS = 3_600_000;

/**
 * How far an erasure is. `confirmed`: by the link of a mail, it waits for its
 * day. `erasing`: it has begun, and nothing leads back.
 */
export type ErasureState = "asked" | "confirmed" | "erasing";

/** Every change of state there is; one that is called off loses its row. */
export const ERASURE_STATES: TransitionTable<ErasureState> = {
  asked: ["confirmed"],
  confirmed: ["erasing"],
  erasing: [],
};

/** That an account is to be erased. */
export interface Erasure {
  id: string;
  state: ErasureState;
  /** The agent that asked; null for its owner, in a browser. */
  grantId: string | null;
  askedAtMs: number;
  confirmUntilMs: number;
  /** When it is begun; null until it is confirmed. */
  eraseAtMs: number | null;
  /** What is needed once the account itself is empty; absent before. */
  begun?: {
    /** Whose mails are erased; empty once they are. */
    email: string;
    /**
     * The company's, by which its settled Spotlights keep a name or lose it; null
     * or absent where it is not known, and once they have.
     */
    country?: string | null;
    /** Mails to the address from later on are another account's. */
    atMs: number;
  };
}

/** That an account was erased, and when; nothing else is left of it. */
export interface ErasedAccount {
  accountId: string;
  erasedAtMs: number;
}

/** The erasure that stands; null for none, or one nobody confirmed in time. */
export function standingErasure(
  { erasure }: { erasure?: Erasure },
  nowMs: number,
): Erasure | null {
  if (erasure === undefined) return null;
  const { state, confirmUntilMs } = erasure;
  return state === "asked" && confirmUntilMs <= nowMs ? null : erasure;
}

/** Whether the link of its mail has still to be followed. */
export function isConfirmable({ state }: Pick<Erasure, "state">): boolean {
  return state === "asked";
}

/** When something is to be done for it; null for never. */
export function erasureDueAtMs(erasure: Erasure | null): number | null {
  return erasure?.eraseAtMs ?? null;
}
