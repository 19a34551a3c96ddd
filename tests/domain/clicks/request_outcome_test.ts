import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { AI_FETCHERS } from "../../../domain/clicks/ai_fetchers.ts";
import { LINK_PREVIEWS } from "../../../domain/clicks/link_previews.ts";
import {
  type ClickRequest,
  requestReason,
} from "../../../domain/clicks/request_outcome.ts";
import { isRepeat, REPEAT_WITHIN_MS } from "../../../domain/clicks/visitor.ts";
import { createClickJudge } from "../../../adapters/clicks/click_judge.ts";
import fixture from "../../fixtures/clicks/requests.json" with { type: "json" };
import { TEST_START_MS } from "../../support/clock.ts";

const JUDGE = createClickJudge();
for (const { group, name, method, headers, expected } of fixture.samples) {
  Deno.test(`${group}: ${name} is taken for ${expected}`, () => {
    const request = requestOf(method, headers);
    assertEquals(requestReason(request, JUDGE) ?? "human", expected);
  });
}

Deno.test("every outcome of a request has a sample", () => {
  const seen = new Set(fixture.samples.map(({ expected }) => expected));
  assertEquals([...seen].sort(), [
    "ai_fetcher",
    "bot",
    "embedded",
    "head",
    "human",
    "no_user_agent",
    "prefetch",
    "preview",
  ]);
});

Deno.test("a click within 30 minutes of one that was counted is a repeat, to the millisecond", () => {
  const countedMs = TEST_START_MS;
  const untilMs = countedMs + REPEAT_WITHIN_MS;
  const at = (atMs: number) => isRepeat({ untilMs }, atMs);
  assertEquals(at(countedMs), true);
  assertEquals(at(countedMs + 30 * 60_000 - 1), true);
  assertEquals(at(countedMs + 30 * 60_000), false);
});

Deno.test("each AI fetcher and each link preview is found in any user agent, in either case", () => {
  for (
    const [tokens, expected] of [
      [AI_FETCHERS, "ai_fetcher"],
      [LINK_PREVIEWS, "preview"],
    ] as const
  ) {
    for (const token of tokens) {
      for (const text of [token, token.toLowerCase(), token.toUpperCase()]) {
        const headers = {
          "user-agent": `Mozilla/5.0 (compatible; ${text}1.0)`,
        };
        const reason = requestReason(requestOf("GET", headers), JUDGE);
        assertEquals(reason, expected, text);
      }
    }
  }
});

Deno.test("the lists of names are in order and have none twice", () => {
  for (const list of [AI_FETCHERS, LINK_PREVIEWS]) {
    const lower = list.map((name) => name.toLowerCase());
    assertEquals(lower, [...new Set(lower)].toSorted());
  }
});

Deno.test("any headers have one outcome, the same each time", () => {
  const value = fc.string({ unit: "grapheme-ascii", maxLength: 3_000 })
    .map((text) => text.trim());
  const headers = fc.record({
    "user-agent": value,
    "purpose": value,
    "sec-purpose": value,
    "sec-fetch-mode": value,
    "sec-fetch-dest": value,
  }, { requiredKeys: [] });
  const method = fc.constantFrom("GET", "HEAD");
  fc.assert(fc.property(method, headers, (method, headers) => {
    const request = requestOf(method, headers as Record<string, string>);
    const reason = requestReason(request, JUDGE);
    assertEquals(requestReason(request, JUDGE), reason);
    assert(method === "GET" || reason === "head" || reason === "prefetch");
  }));
});

function requestOf(
  method: string,
  headers: Record<string, string | undefined>,
): ClickRequest {
  const given = Object.entries(headers)
    .filter((each): each is [string, string] => each[1] !== undefined);
  return {
    method,
    headers: new Headers(given),
    address: "192.0.2.1",
    atMs: TEST_START_MS,
  };
}
