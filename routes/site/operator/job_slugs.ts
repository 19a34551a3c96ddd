import type { Job } from "../../../domain/operations/run_job.ts";
import { refuse } from "../../../domain/refusal.ts";

/** A job's name as a part of an address: `rotate-click-salts`. */
export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/**
 * The job that a part of an address names.
 *
 * @throws {Refused} `not_found`
 */
export function jobOf(jobs: readonly Job[], slug: string): Job {
  const message = "Cannot find the job";
  return jobs.find(({ name }) => slugOf(name) === slug) ??
    refuse({ code: "not_found", message });
}
