import type { Job } from "../../../domain/operations/run_job.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import type { EventWork } from "../../../domain/webhooks/process_events.ts";
import type { RouteServices } from "../../context.ts";

/** What the operator API is made of. */
export interface OperatorParts extends RouteServices {
  /** The bearer keys of the configuration; others are made at the desk. */
  operatorKeys: readonly string[];
  /** Refreshed before an answer says that a Spotlight has changed. */
  records: Pick<PublicRecords, "refreshNow">;
  /** What processing the processor's events takes. */
  eventWork: EventWork;
  /** The background jobs whose runs are shown. */
  jobs: readonly Job[];
  /** Reads the whole store as NDJSON. */
  dump: () => ReadableStream<Uint8Array>;
  /** Of the service. */
  version: string;
  /** The version of the store's rows, and of what the service writes. */
  schema: () => Promise<{ store: number; service: number }>;
  /** Rebuilds the store's indexes and tells how far it is. */
  reindex: () => AsyncIterable<object>;
}
