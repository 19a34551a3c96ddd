import { createHash } from "node:crypto";
import type { Day } from "../day.ts";
import { type ContentType, type Spotlight, toRecord } from "./spotlight.ts";

/** A settled day as it is served: everything an answer needs, made once. */
export interface PublicRecord {
  readonly day: Day;
  readonly headline: string;
  readonly description: string;
  readonly advertiser: string;
  readonly contentType: ContentType;
  /** Where the advertisement leads; on pages only, never in a record. */
  readonly targetUrl: string;
  /** When it became public; on pages only. */
  readonly settledAtMs: number;
  /** The JSON text of the six-field record. */
  readonly json: string;
  /** The answer `{"data": <record>}`. */
  readonly body: string;
  /** The strong entity tag of the body, quotes included. */
  readonly etag: string;
}

/** Serialises a Spotlight for all answers it will ever be part of. */
export function toPublicRecord(
  spotlight: Spotlight,
  baseUrl: string,
): PublicRecord {
  const json = JSON.stringify(toRecord(spotlight, baseUrl));
  const body = `{"data":${json}}`;
  return {
    day: spotlight.day,
    headline: spotlight.headline,
    description: spotlight.description,
    advertiser: spotlight.advertiser,
    contentType: spotlight.contentType,
    targetUrl: spotlight.targetUrl,
    settledAtMs: spotlight.settledAtMs,
    json,
    body,
    etag: strongEtag(body),
  };
}

/** Whether the stored Spotlight still reads as this record does. */
export function isRecordOf(
  record: PublicRecord,
  spotlight: Spotlight,
): boolean {
  return record.day === spotlight.day &&
    record.headline === spotlight.headline &&
    record.description === spotlight.description &&
    record.advertiser === spotlight.advertiser &&
    record.contentType === spotlight.contentType &&
    record.targetUrl === spotlight.targetUrl &&
    record.settledAtMs === spotlight.settledAtMs;
}

/** An entity tag that differs whenever the content does, quotes included. */
export function strongEtag(content: Uint8Array | string): string {
  const digest = createHash("sha256").update(content).digest("base64url");
  return `"${digest.slice(0, 22)}"`;
}
