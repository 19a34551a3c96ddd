import { monotonicMs, startTimer } from "../../adapters/time/system_time.ts";
import { Deadlines } from "../../domain/operations/shared_deadlines.ts";
import type { StartTimer } from "../../domain/ports.ts";

/** Longest a body may take to arrive, ms; the longest is a few hundred KB. */
const ARRIVES_WITHIN_MS = 30_000;
/** The same from the moment the service is told to stop. */
const ARRIVES_WITHIN_WHILE_STOPPING_MS = 1_000;

const SYSTEM_TIME = { nowMs: monotonicMs, startTimer };

/** How long bodies are waited for. */
export interface BodyWaits {
  /** Tells when a body has taken too long; answers how to call that off. */
  begin(over: (why: "late" | "stopping") => void): () => void;
}

/** What the waits are made with. */
export interface BodyWaitParts {
  /** The clock and the timers; the system's where they are left out. */
  time?: { nowMs(): number; startTimer: StartTimer };
  /** Aborted when the service stops. */
  stopping?: AbortSignal;
}

/**
 * The waits of a service. Bodies that have not arrived a second after it was
 * told to stop are given up, so that who sends no more does not hold up a stop.
 */
export function bodyWaits(
  { time = SYSTEM_TIME, stopping }: BodyWaitParts = {},
): BodyWaits {
  const ordinary = new Deadlines(ARRIVES_WITHIN_MS, time);
  const last = new Deadlines(ARRIVES_WITHIN_WHILE_STOPPING_MS, time);
  const isStopping = () => stopping?.aborted ?? false;
  stopping?.addEventListener("abort", () => {
    time.startTimer(() => ordinary.endAll(), ARRIVES_WITHIN_WHILE_STOPPING_MS);
  }, { once: true });
  return {
    begin: (over) =>
      (isStopping() ? last : ordinary)
        .begin(() => over(isStopping() ? "stopping" : "late")),
  };
}
