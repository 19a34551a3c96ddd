import { sha256Hex } from "../sha256.ts";

/** The form of a job's id (contract §3.7). */
export const SANDBOX_JOB_ID = /^sbx_[0-9a-f]{16}$/;

/** A sandbox job is readable for 24 hours after it was first asked for. */
export const SANDBOX_JOB_MS = 24 * 3_600_000;

/** How far a job is (contract §3.7). */
export type SandboxJobStatus = "queued" | "completed";

/**
 * A sandbox job as it is kept: a row a day long with no effect on anything
 * else. Its status is not kept: it is `queued` when asked for and `completed`
 * whenever it is read, so a read writes nothing.
 */
export interface SandboxJob {
  jobId: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** The id that a key gives, on every isolate and for ever (contract §3.7). */
export function sandboxJobId(idempotencyKey: string): string {
  const digest = sha256Hex(`sandbox-job|${idempotencyKey}`);
  return `sbx_${digest.slice(0, 16)}`;
}
