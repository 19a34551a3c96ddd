import { assertEquals } from "@std/assert";
import type { IdempotencyRecord } from "../../../domain/idempotency/record.ts";
import { replayOf } from "../../../domain/idempotency/replay.ts";
import { assertRefused } from "../../support/refused.ts";

const binding = {
  owner: "o",
  operation: "POST /x",
  key: "k",
  requestHash: "h",
};
const answer = { status: 200, body: "{}" };
const done: IdempotencyRecord = {
  ...binding,
  state: "done",
  answer,
  expiresAtMs: 1_000,
};

Deno.test("replayOf() lets a free key through", () => {
  assertEquals(replayOf(null, "h"), null);
});

Deno.test("replayOf() answers the same request again", () => {
  assertEquals(replayOf(done, "h"), answer);
});

Deno.test("replayOf() refuses another request with the same key", async () => {
  await assertRefused(() => replayOf(done, "i"), "idempotency_conflict");
});

Deno.test("replayOf() refuses a request whose first is under way", async () => {
  const record: IdempotencyRecord = {
    ...done,
    state: "in_flight",
    answer: null,
  };
  await assertRefused(() => replayOf(record, "h"), "idempotency_in_flight");
  await assertRefused(() => replayOf(record, "i"), "idempotency_conflict");
});
