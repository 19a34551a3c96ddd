/**
 * Answers of `/ask`: one text each, made before its first byte leaves, so that
 * whatever goes wrong is told before a stream begins.
 *
 * @module
 */
import type { ResultItem } from "../../../domain/retrieval/result_item.ts";
import { RETRIEVAL_VERSION } from "../../errors/retrieval_surface.ts";
import { ASK_FORMAT } from "./ask_request.ts";

const META = {
  version: RETRIEVAL_VERSION,
  response_type: "answer",
  response_format: ASK_FORMAT,
};

/** The text of each result, for as long as that is in memory. */
const texts = new WeakMap<ResultItem, string>();

function textOf(item: ResultItem): string {
  const before = texts.get(item);
  if (before !== undefined) return before;
  const text = JSON.stringify(item);
  texts.set(item, text);
  return text;
}

/** The results as one JSON text (contract §5.2). */
export function answerText(items: readonly ResultItem[]): string {
  const results = items.map(textOf).join(",");
  return `{"_meta":${JSON.stringify(META)},"results":[${results}]}`;
}

/**
 * The results as a stream that ends: `start`, a `result` each, `complete`
 * (contract §5.3). JSON has no line break of its own, so an event is one line
 * of data whatever stands in it.
 */
export function streamText(
  items: readonly ResultItem[],
  site: string,
): string {
  const start = { _meta: { ...META, mode: "list", site }, streaming: true };
  return event("start", start) +
    items.map((item, index) =>
      eventOf("result", `{"index":${index},"item":${textOf(item)}}`)
    ).join("") +
    event("complete", { _meta: { version: RETRIEVAL_VERSION } });
}

function event(name: string, data: unknown): string {
  return eventOf(name, JSON.stringify(data));
}

function eventOf(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
