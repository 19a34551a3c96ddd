/**
 * Traces and metrics, by OpenTelemetry as the runtime has it (`OTEL_DENO=true`):
 * what of the service is wrapped for them, where they are on.
 *
 * @module
 */
import { noteRequest } from "../adapters/telemetry/request_span.ts";
import {
  counter,
  readGauges,
  type Reading,
} from "../adapters/telemetry/measures.ts";
import { inSpan, withSpans } from "../adapters/telemetry/spans.ts";
import type { Config } from "../config/config.ts";
import { type Observe, registerJobs, type RunningJobs } from "../cron/jobs.ts";
import {
  monotonicMs,
  nextTurn,
  sleep,
  startTimer,
} from "../adapters/time/system_time.ts";
import { type Figure, readFigures } from "../domain/doctor/figures.ts";
import type { Job } from "../domain/operations/run_job.ts";
import type { Processor } from "../domain/payments/processor.ts";
import type { Log, Services } from "../domain/ports.ts";
import type { KvLike } from "../kv/kv_like.ts";
import { observedKv } from "../kv/observed_kv.ts";
import type { RequestLog } from "../routes/request_log.ts";

/** Wraps what is seen in traces and metrics. */
export interface Telemetry {
  kv(kv: KvLike): KvLike;
  processor(processor: Processor): Processor;
  log(log: Log): Log;
  requests(requestLog: RequestLog): RequestLog;
  job: Observe;
  /** Has gauges read of a service that runs; answers how to end that, last. */
  read(of: Readings): () => Promise<void>;
}

/** What gauges are read of. */
export interface Readings {
  services: Services;
  jobs: readonly Job[];
  /** Whether the store takes writes. */
  isStoreReached: () => boolean;
}

/** What to wrap the service in, as it is configured. */
export function telemetryOf(
  { isObserved }: Pick<Config, "isObserved">,
): Telemetry {
  return isObserved ? TELEMETRY : NO_TELEMETRY;
}

/** Leaves everything as it is. */
const NO_TELEMETRY: Telemetry = {
  kv: (kv) => kv,
  processor: (processor) => processor,
  log: (log) => log,
  requests: (requestLog) => requestLog,
  job: (_name, run) => run(),
  read: () => () => Promise.resolve(),
};

/** What is wrapped where the runtime exports traces and metrics. */
const TELEMETRY: Telemetry = {
  kv(kv) {
    const count = counter("spotlight.store.commits");
    const committed = (result: string) => count({ result });
    return observedKv(kv, { inSpan, committed });
  },
  processor: (processor) => withSpans("processor", processor),
  log: countedLog,
  requests: (requestLog) => (line) => {
    const { method, status, tookMs, trace: { route } } = line;
    const host = line.host ?? "unknown";
    noteRequest({ host, method, route, status, tookMs });
    requestLog(line);
  },
  job: inSpan,
  read: ({ services, jobs, isStoreReached }) =>
    readGauges(async () => {
      const store: Reading = {
        gauge: "spotlight.store.reached",
        value: isStoreReached() ? 1 : 0,
        of: {},
      };
      // A store that is silent is seen by its own gauge.
      const figures = await readFigures(services, jobs).catch(() => []);
      return [store, ...figures.map(toReading)];
    }, { now: monotonicMs, sleep, nextTurn }),
};

/** Prometheus has a label `job` of its own, which ours would be lost to. */
const LABELS = { queue: "queue", job: "job_name" } as const;

function toReading({ of, name, ageMs }: Figure): Reading {
  return {
    gauge: `spotlight.${of}.age`,
    value: ageMs / 1_000,
    of: of === "settlement" ? {} : { [LABELS[of]]: name },
  };
}

function countedLog(log: Log): Log {
  const count = counter("spotlight.events");
  return {
    lastErrorMs: (event) => log.lastErrorMs(event),
    ...log.startedMs !== undefined && { startedMs: log.startedMs },
    info(event, fields) {
      count({ event, level: "info" });
      log.info(event, fields);
    },
    error(event, fields) {
      count({ event, level: "error" });
      log.error(event, fields);
    },
  };
}

/** Registers the jobs, each run of which is seen. */
export function startJobs(
  config: Pick<Config, "isObserved">,
  ready: Promise<Services>,
): RunningJobs {
  const { job } = telemetryOf(config);
  return registerJobs(ready, Deno.cron, startTimer, job);
}
