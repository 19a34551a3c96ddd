import type { TransitionTable } from "../state_machine.ts";

/** Whether sign-ups by a link are credited. */
export type LinkState = "active" | "ended";

/** A link that has ended stays so, and its code is never given again. */
export const LINK_STATES: TransitionTable<LinkState> = {
  active: ["ended"],
  ended: [],
};

/** An address that a partner gives to those it recommends Spotlight to. */
export interface ReferralLink {
  /** Part of the address; random, so that no other can be guessed from it. */
  code: string;
  /** The partner's account. */
  partnerId: string;
  /** What the partner calls it. */
  name: string;
  state: LinkState;
  createdAtMs: number;
  endedAtMs: number | null;
}
