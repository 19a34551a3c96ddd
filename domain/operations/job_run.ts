/** The last time a background job did all it had to. */
export interface JobRun {
  name: string;
  /** 0 before it ever did. */
  lastSuccessMs: number;
  /** When it was first tried and failed; absent once it has succeeded. */
  firstFailureMs?: number;
  /** How it failed since it last succeeded; absent while it has not. */
  failures?: JobFailures;
}

/** Failures of a job, one after the other. */
export interface JobFailures {
  count: number;
  lastMs: number;
  /** What the last error is called, and nothing that it says. */
  error: string;
}

/**
 * Whether a job should have succeeded since; one that was never tried is late,
 * one that has failed only from the first failure on.
 */
export function isLate(
  run: JobRun | null,
  lateAfterMs: number,
  nowMs: number,
): boolean {
  const sinceMs = run?.firstFailureMs ?? run?.lastSuccessMs ?? 0;
  return nowMs - sinceMs > lateAfterMs;
}
