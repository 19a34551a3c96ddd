import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { SandboxJob } from "./job.ts";

/**
 * The job of an id of the right form; reading it is what completes it.
 *
 * @throws {Refused} `sandbox_job_not_found` when nobody asked for it within
 * the last 24 hours
 */
export async function readSandboxJob(
  services: Pick<Services, "store">,
  jobId: string,
): Promise<SandboxJob> {
  return await services.store.sandboxJobs.find(jobId) ??
    refuse({ code: "sandbox_job_not_found", jobId });
}
