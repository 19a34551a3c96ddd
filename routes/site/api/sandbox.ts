import type { z } from "zod";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import type { Services } from "../../../domain/ports.ts";
import { createSandboxJob } from "../../../domain/sandbox/create_sandbox_job.ts";
import {
  SANDBOX_JOB_ID,
  type SandboxJob,
  type SandboxJobStatus,
} from "../../../domain/sandbox/job.ts";
import { readSandboxJob } from "../../../domain/sandbox/read_sandbox_job.ts";
import { sandboxSpotlight } from "../../../domain/sandbox/sandbox_spotlight.ts";
import {
  chargeNetworksToo,
  type RateLimits,
} from "../../middleware/rate_limit.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import type { sandboxJob, sandboxSample } from "../../shapes/public_outputs.ts";
import { unstoredAnswer } from "./public_answer.ts";
import { quoted, refuseInput } from "../../http/query.ts";

/** A body is not wanted and never read; one that says it is larger is 400. */
const SANDBOX_BODY_MAX_BYTES = 4_096;

/** The sandbox: made-up data without side effects (contract §3.7). */
export function sandboxRoutes(
  parts: RateLimits & {
    services: Pick<Services, "clock" | "store" | "settings">;
  },
): Route[] {
  const { services } = parts;
  const { baseUrl } = services.settings;
  const sample: z.infer<typeof sandboxSample> = {
    sandbox: true,
    data: sandboxSpotlight(baseUrl),
  };
  const jobAnswer = (
    { jobId }: SandboxJob,
    status: SandboxJobStatus,
  ): z.infer<typeof sandboxJob> => ({
    sandbox: true,
    jobId,
    status,
    statusUrl: `${baseUrl}/api/v1/sandbox/jobs/${jobId}`,
    ...status === "completed" && { result: sample },
  });
  return [
    route(
      "GET",
      "/api/v1/sandbox",
      (context) => unstoredAnswer(context, sample),
    ),
    route("POST", "/api/v1/sandbox/jobs", async (context) => {
      const key = readKey(context);
      await chargeNetworksToo(context, parts, "sandbox_job");
      const { job, replayed } = await createSandboxJob(services, key);
      // A repeat is answered as the first request was, even once completed.
      const answer = jobAnswer(job, "queued");
      return unstoredAnswer(context, answer, {
        status: 202,
        headers: {
          location: answer.statusUrl,
          ...replayed && { "idempotent-replayed": "true" },
        },
      });
    }),
    route("GET", "/api/v1/sandbox/jobs/:jobId", async (context) => {
      const job = await readSandboxJob(
        services,
        parseJobId(context.req.param("jobId")),
      );
      return unstoredAnswer(context, jobAnswer(job, "completed"));
    }),
  ];
}

function readKey(context: RouteContext): string {
  const { headers } = context.req.raw;
  const announced = Number(headers.get("content-length") ?? 0);
  if (announced > SANDBOX_BODY_MAX_BYTES) {
    refuseInput(
      "Cannot create the sandbox job: no body is wanted, the limit is " +
        `${SANDBOX_BODY_MAX_BYTES} bytes and the current length is ${announced}`,
    );
  }
  return parseIdempotencyKey(headers.get("idempotency-key"));
}

function parseJobId(text: string): string {
  if (SANDBOX_JOB_ID.test(text)) return text;
  refuseInput(
    `Cannot read sandbox job ${quoted(text)}: a job id is sbx_ and ` +
      "16 lowercase hex characters",
  );
}
