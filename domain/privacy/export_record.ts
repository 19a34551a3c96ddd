import { isoOrNull, isoTime } from "../day.ts";
import type { DataExport } from "./data_requests.ts";

/** A copy of an account's data as an agent is told of it (contract §7.13). */
export interface ExportRecord {
  id: string;
  status: "preparing" | "ready" | "failed";
  requested_at: string;
  ready_at: string | null;
  expires_at: string;
  bytes: number | null;
  /** Where the agent that asked reads it; null before it is ready. */
  document: string | null;
}

/**
 * The copy as it is told.
 *
 * @param documentsAt what addresses begin with that the reader's token opens
 */
export function exportRecord(
  { id, readyAtMs, failedAtMs, bytes, ...rest }: DataExport,
  documentsAt: string,
): ExportRecord {
  const isReady = readyAtMs !== null;
  return {
    id,
    status: isReady
      ? "ready"
      : failedAtMs === undefined
      ? "preparing"
      : "failed",
    requested_at: isoTime(rest.requestedAtMs),
    ready_at: isoOrNull(readyAtMs),
    expires_at: isoTime(rest.expiresAtMs),
    bytes: isReady ? bytes : null,
    document: isReady ? `${documentsAt}/privacy/exports/${id}/document` : null,
  };
}
