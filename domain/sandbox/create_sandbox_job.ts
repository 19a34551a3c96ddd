import type { Services } from "../ports.ts";
import { SANDBOX_JOB_MS, type SandboxJob, sandboxJobId } from "./job.ts";

/**
 * Makes the job of an Idempotency-Key, or finds it: repeats, parallel ones
 * included, all succeed with the same job and never lengthen its 24 hours.
 * Decision 0020 says why.
 */
export function createSandboxJob(
  services: Pick<Services, "clock" | "store">,
  idempotencyKey: string,
): Promise<{ job: SandboxJob; replayed: boolean }> {
  const jobId = sandboxJobId(idempotencyKey);
  return services.store.transact(async (tx) => {
    const known = await tx.sandboxJobs.find(jobId);
    if (known !== null) return { job: known, replayed: true };
    const now = services.clock.now();
    const job = { jobId, createdAtMs: now, expiresAtMs: now + SANDBOX_JOB_MS };
    tx.sandboxJobs.save(job);
    return { job, replayed: false };
  });
}
