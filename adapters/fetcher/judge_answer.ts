import type { Fetched } from "../../domain/fetching/fetcher.ts";
import { FetchFailure, type RawAnswer } from "./exchange.ts";

const JSON_TYPE = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;

/**
 * Takes an answer for what it says, if it is one we asked for: JSON, as it was
 * written, from the address itself.
 *
 * @throws {FetchFailure} otherwise
 */
export function judgeAnswer(
  { status, headers, bytes }: RawAnswer,
  wants: "200" | "any status",
): Fetched {
  if (status >= 300 && status < 400) throw new FetchFailure("redirect");
  if (wants === "200" && status !== 200) throw new FetchFailure("status");
  const contentType = (headers["content-type"] ?? "").toLowerCase();
  const [mediaType = ""] = contentType.split(";", 1);
  if (!JSON_TYPE.test(mediaType.trim())) throw new FetchFailure("type");
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw new FetchFailure("encoding");
  return {
    status,
    contentType,
    body: textOf(bytes),
    maxAgeS: maxAgeOf(headers["cache-control"]),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FetchFailure("text");
  }
}

/** Seconds of freshness by Cache-Control; 0 where it forbids to keep. */
function maxAgeOf(header: string | undefined): number | null {
  const directives = (header ?? "").toLowerCase().split(",")
    .map((directive) => directive.trim());
  if (directives.some((each) => /^no-(?:store|cache)\b/.test(each))) return 0;
  for (const directive of directives) {
    const seconds = /^max-age="?(\d{1,9})"?$/.exec(directive)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}
