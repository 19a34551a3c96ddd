import { assertEquals } from "@std/assert";
import { detachPauseMs } from "../../../domain/cards/card_removal.ts";
import {
  afterSyncFailure,
  newCardsState,
} from "../../../domain/cards/cards_state.ts";
import { backOffMs } from "../../../domain/tasks/back_off.ts";

const MINUTE_MS = 60_000;

Deno.test("backOffMs() doubles from the first pause to the longest and stays there", () => {
  const pauses = { firstMs: 1_000, maxMs: 5_000 };
  const after = [1, 2, 3, 4, 5, 100].map((n) => backOffMs(n, pauses));
  assertEquals(after, [1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
});

Deno.test("backOffMs() takes no failure for the first", () => {
  assertEquals(backOffMs(0, { firstMs: 1_000, maxMs: 5_000 }), 1_000);
});

Deno.test("cards are tried again after a minute or five, and after a day at the latest", () => {
  const detach = [1, 2, 11, 12, 24].map((n) => detachPauseMs(n) / MINUTE_MS);
  assertEquals(detach, [1, 2, 1_024, 1_440, 1_440]);
  let wallet = newCardsState("acc_ada");
  const syncs: number[] = [];
  for (let failures = 1; failures <= 10; failures++) {
    wallet = afterSyncFailure(wallet, 0);
    assertEquals(wallet.syncFailures, failures);
    syncs.push((wallet.syncDueAtMs ?? 0) / MINUTE_MS);
  }
  assertEquals(syncs, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_440]);
});
