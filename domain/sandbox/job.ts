/** A sandbox job: a row a day long with no effect on anything else. */
export interface SandboxJob {
  jobId: string;
  status: "queued" | "completed";
  createdAtMs: number;
  expiresAtMs: number;
}
