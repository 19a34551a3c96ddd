import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { AI_FETCHERS } from "../../../domain/clicks/ai_fetchers.ts";
import type { ClickOutcome } from "../../../domain/clicks/click.ts";
import { LINK_PREVIEWS } from "../../../domain/clicks/link_previews.ts";
import {
  clickOutcome,
  type ClickRequest,
} from "../../../domain/clicks/request_outcome.ts";
import {
  REPEAT_WITHIN_MS,
  type Visitor,
} from "../../../domain/clicks/visitor.ts";
import { createClickJudge } from "../../../adapters/clicks/click_judge.ts";
import fixture from "../../fixtures/clicks/requests.json" with { type: "json" };
import { TEST_START_MS } from "../../support/clock.ts";

const JUDGE = createClickJudge();
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " +
  "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

for (const { group, name, method, headers, expected } of fixture.samples) {
  Deno.test(`${group}: ${name} is taken for ${expected}`, () => {
    const request = requestOf(method, headers);
    assertEquals(clickOutcome(request, null, JUDGE), expected as ClickOutcome);
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
  const visitor: Visitor = { hash: "v", untilMs, expiresAtMs: untilMs };
  const at = (atMs: number) =>
    clickOutcome({ ...requestOf("GET", chrome()), atMs }, visitor, JUDGE);
  assertEquals(at(countedMs), "repeat");
  assertEquals(at(countedMs + 30 * 60_000 - 1), "repeat");
  assertEquals(at(countedMs + 30 * 60_000), "human");
});

Deno.test("what is no person's click is not called a repeat", () => {
  const untilMs = TEST_START_MS + REPEAT_WITHIN_MS;
  const visitor: Visitor = { hash: "v", untilMs, expiresAtMs: untilMs };
  const bot = requestOf("GET", { "user-agent": "curl/8.15.0" });
  assertEquals(clickOutcome(bot, visitor, JUDGE), "bot");
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
        const outcome = clickOutcome(requestOf("GET", headers), null, JUDGE);
        assertEquals(outcome, expected, text);
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
    const outcome = clickOutcome(request, null, JUDGE);
    assertEquals(clickOutcome(request, null, JUDGE), outcome);
    assert(method === "GET" || ["head", "prefetch"].includes(outcome));
  }));
});

function chrome(): Record<string, string> {
  return { "user-agent": CHROME };
}

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
