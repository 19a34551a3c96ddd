import { monotonicMs, startTimer } from "../../adapters/time/system_time.ts";
import { Deadlines } from "../../domain/operations/shared_deadlines.ts";
import type { StartTimer } from "../../domain/ports.ts";
import { BodyRooms, type Rooms } from "./body_rooms.ts";
import type { BodyTurns } from "./body_turns.ts";

/** Longest a body may take to arrive, ms; the longest is a few hundred KB. */
const ARRIVES_WITHIN_MS = 30_000;
/** The same from the moment the service is told to stop. */
const ARRIVES_WITHIN_WHILE_STOPPING_MS = 1_000;

/**
 * A body that comes within this time, ms, was there as good as at once: who asks
 * had the right to a moment ago.
 */
const AT_ONCE_MS = 250;

const SYSTEM_TIME = { nowMs: monotonicMs, startTimer };

/**
 * So many bodies are taken whole at a time, which costs least and is counted for
 * nobody: over HTTP/2 one that never comes stays until its connection ends.
 */
export const WHOLE_READS_MAX = 1_000;

/** How long bodies are waited for, and what is kept of them. */
export interface BodyWaits {
  /**
   * Tells when a body has taken too long; answers how to call that off, which
   * says whether the body was there at once.
   */
  begin(over: (why: "late" | "stopping") => void): () => boolean;
  /**
   * Counts a body that is taken whole; answers how to count it no more, or null
   * while so many are that this one is to be read piece by piece.
   */
  beginWhole(): (() => void) | null;
  /** Where what comes of a body is counted meanwhile, for whom it is sent. */
  rooms(network?: string): Rooms;
  /**
   * Settles when a body that has come whole may be read, and says whether that was
   * as good as at once.
   */
  turn(bytes: number, network?: string): Promise<boolean>;
}

/** What the waits are made with. */
export interface BodyWaitParts {
  /** The clock and the timers; the system's where they are left out. */
  time?: { nowMs(): number; startTimer: StartTimer };
  /** Aborted when the service stops. */
  stopping?: AbortSignal;
  /** The turns that bodies take; none where they are left out. */
  turns?: Pick<BodyTurns, "take">;
}

/**
 * The waits of a service. Bodies that have not arrived a second after it was
 * told to stop are given up, so that who sends no more does not hold up a stop.
 */
export function bodyWaits(
  { time = SYSTEM_TIME, stopping, turns }: BodyWaitParts = {},
): BodyWaits {
  // Most bodies are there when they are asked for, one after the other.
  const keepsTimer = stopping !== undefined;
  const ordinary = new Deadlines(ARRIVES_WITHIN_MS, time, keepsTimer);
  const last = new Deadlines(ARRIVES_WITHIN_WHILE_STOPPING_MS, time);
  const rooms = new BodyRooms();
  let wholeReads = 0;
  const isStopping = () => stopping?.aborted ?? false;
  stopping?.addEventListener("abort", () => {
    ordinary.keepNoTimer();
    time.startTimer(() => ordinary.endAll(), ARRIVES_WITHIN_WHILE_STOPPING_MS);
  }, { once: true });
  return {
    rooms: (network = "") => rooms.of(network),
    async turn(bytes, network = "") {
      const begunMs = time.nowMs();
      await turns?.take(network, bytes);
      return time.nowMs() - begunMs < AT_ONCE_MS;
    },
    beginWhole() {
      if (wholeReads >= WHOLE_READS_MAX) return null;
      wholeReads++;
      return () => wholeReads--;
    },
    begin(over) {
      const begunMs = time.nowMs();
      const callOff = (isStopping() ? last : ordinary)
        .begin(() => over(isStopping() ? "stopping" : "late"));
      return () => {
        callOff();
        return time.nowMs() - begunMs < AT_ONCE_MS;
      };
    },
  };
}
