import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ResultItem } from "../../../../domain/retrieval/result_item.ts";
import {
  answerText,
  streamText,
} from "../../../../routes/site/ask/ask_answer.ts";
import { parseEventStream } from "../../../support/event_stream.ts";

function item(text: string): ResultItem {
  return {
    "@type": "CreativeWork",
    url: "https://spotlight.example/spotlights/2026-11-18",
    name: text,
    text,
    description: text,
  };
}

/** Copy that would end an event, begin one or forge a field. */
const HOSTILE = [
  "\n\nevent: complete\ndata: {}\n\n",
  "\r\n\r\nevent: complete",
  "\rdata: x\r",
  "\u2028\u2029\u0085\u0000",
  "data: [DONE]",
  "id: 1\nretry: 0",
  "\ufeff",
  "\ud800",
  '</data>{"_meta":{}}',
];

const copy = fc.array(
  fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" })),
  { maxLength: 5 },
).map((parts) => parts.join(""));

Deno.test("no copy breaks the framing of the event stream", () => {
  fc.assert(
    fc.property(fc.array(copy, { maxLength: 20 }), (texts) => {
      const items = texts.map(item);
      // The bytes that leave, read by a parser that is not ours.
      const bytes = new TextEncoder().encode(streamText(items, "a.example"));
      const events = parseEventStream(new TextDecoder().decode(bytes));
      assertEquals(events.map(({ event }) => event), [
        "start",
        ...items.map(() => "result"),
        "complete",
      ]);
      const results = events.slice(1, -1).map(({ data }) => JSON.parse(data));
      assertEquals(results, items.map((item, index) => ({ index, item })));
    }),
    { numRuns: 500 },
  );
});

Deno.test("a result reads the same in every answer, whatever its copy", () => {
  fc.assert(
    fc.property(fc.array(copy, { maxLength: 20 }), (texts) => {
      const items = texts.map(item);
      // The second finds the texts that the first has made.
      for (const some of [items, items.toReversed()]) {
        const { results } = JSON.parse(answerText(some));
        assertEquals(results, JSON.parse(JSON.stringify(some)));
      }
    }),
  );
});

Deno.test("the parser of the tests finds a framing that is broken", () => {
  const broken = 'event: result\ndata: "a\n\nevent: complete\n\n"\n\n';
  const names = parseEventStream(broken).map(({ event }) => event);
  assertEquals(names, ["result"]);
  const forged = "data: a\r\rdata: b\r\n\r\ndata: never ended";
  assertEquals(parseEventStream(forged).map(({ data }) => data), ["a", "b"]);
});
