import { metrics, trace } from "@opentelemetry/api";

/** What a request is called by; never what the client wrote. */
export interface AnsweredRequest {
  host: string;
  /** One of few: what counts by it keeps a series for each. */
  method: string;
  /** The pattern: `/spotlights/:day`. */
  route: string;
  status: number;
  tookMs: number;
}

const durations = metrics.getMeter("spotlight")
  .createHistogram("spotlight.request.duration", { unit: "s" });

/**
 * Names the span that the runtime keeps of a request by the request's route, and
 * counts how long the answer took.
 */
export function noteRequest(request: AnsweredRequest): void {
  const { host, method, route, status, tookMs } = request;
  trace.getActiveSpan()?.updateName(`${method} ${route}`);
  durations.record(tookMs / 1_000, { host, method, route, status });
}
