import { assertEquals } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import type { Saga, Turn } from "../../../domain/settlement/saga.ts";
import {
  AD_LOST,
  type Awaited,
  type Candidate,
  INVOICE_SOLD,
  type Mending,
  newCandidate,
  type Stall,
} from "../../../domain/settlement/settlement.ts";
import {
  isWait,
  mendingAfter,
  stallAfter,
  type Wait,
  waitAtMost,
  waitOrVoid,
} from "../../../domain/settlement/step_progress.ts";
import { bid, settlement } from "../../kv/records.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";

const MINUTE_MS = 60_000;
const NOW_MS = 1_000 * MINUTE_MS;
const { id: bidId } = bid(AUCTION_DAY, "acc_ada");

/** A worker whose clock says so. */
function sagaAt(nowMs: number, isTurnedAway = false): Saga {
  return {
    services: { clock: { now: () => nowMs } } as Services,
    day: AUCTION_DAY,
    owner: "lease_1",
    isTurnedAway: () => isTurnedAway,
  };
}

/** The bid's payment is to be asked for, after it has stalled so. */
function paying(stall?: Stall | null): Turn {
  const candidate = {
    ...newCandidate(bid(AUCTION_DAY, "acc_ada"), 1),
    step: "paying",
  } as const;
  const before = { ...settlement(AUCTION_DAY), candidates: [candidate] };
  return {
    settlement: stall === undefined ? before : { ...before, stall },
    position: 0,
    candidate,
  };
}

/** A stall of half an hour, whose last attempt ended a minute ago. */
function stalled(changes: Partial<Stall> = {}): Stall {
  return {
    bidId,
    step: "paying",
    awaited: "call",
    sinceMs: NOW_MS - 30 * MINUTE_MS,
    lastMs: NOW_MS - MINUTE_MS,
    ...changes,
  };
}

/** Since when the step is stalled, once it waits for this. */
function sinceMs(
  stall: Stall | null | undefined,
  awaited: Awaited = "call",
): number | undefined {
  const wait = { wait: "", awaited };
  return stallAfter(sagaAt(NOW_MS), paying(stall), wait, NOW_MS)?.sinceMs;
}

Deno.test("stallAfter() goes on with a stall of the same bid and step that waits for the same", () => {
  const { sinceMs: before } = stalled();
  assertEquals(sinceMs(stalled()), before);
  const after = stallAfter(
    sagaAt(NOW_MS),
    paying(stalled()),
    { wait: "", awaited: "call" },
    NOW_MS,
  );
  assertEquals(after, stalled({ lastMs: NOW_MS }));
  assertEquals(sinceMs(stalled({ bidId: "bid_else" })), NOW_MS);
  assertEquals(sinceMs(stalled({ step: "finalizing" })), NOW_MS);
});

Deno.test("stallAfter() begins a stall where the last attempt was answered, and in rows of earlier versions", () => {
  assertEquals(sinceMs(null), NOW_MS);
  assertEquals(sinceMs(undefined), NOW_MS);
});

Deno.test("stallAfter() keeps a call unanswered while attempts end before it, and all else by nothing but itself", () => {
  const all: readonly Awaited[] = ["company", "look", "call"];
  const { sinceMs: before } = stalled();
  for (const awaited of all) {
    for (const wait of all) {
      const isKept = awaited === wait || awaited === "call";
      const since = sinceMs(stalled({ awaited }), wait);
      assertEquals(since, isKept ? before : NOW_MS, `${awaited}, then ${wait}`);
    }
  }
});

Deno.test("stallAfter() keeps a call unanswered while the company is refused before it, and by no other trouble", () => {
  const after = (awaited: Awaited, mending: Mending["what"]) => {
    const turn = paying(stalled({ awaited }));
    return stallAfter(sagaAt(NOW_MS), turn, { wait: "", mending }, NOW_MS);
  };
  const kept = (awaited: Awaited) => stalled({ awaited, lastMs: NOW_MS });
  assertEquals(after("call", "company"), kept("call"));
  assertEquals(after("look", "company"), null);
  assertEquals(after("company", "company"), null);
  assertEquals(after("call", "customer"), null);
  assertEquals(after("call", "vat"), null);
});

Deno.test("mendingAfter() adds up the time between attempts that tell of the same, a pause at most each", () => {
  const begun: Mending = {
    bidId,
    step: "paying",
    what: "vat",
    forMs: 7 * MINUTE_MS,
    lastMs: NOW_MS - MINUTE_MS,
  };
  const after = (changes: Partial<Mending> | null, what?: Mending["what"]) => {
    const turn = paying();
    const settlement = changes === null
      ? turn.settlement
      : { ...turn.settlement, mending: { ...begun, ...changes } };
    const wait = { wait: "", ...what !== undefined && { mending: what } };
    return mendingAfter({ ...turn, settlement }, wait, NOW_MS);
  };
  const told = (forMs: number) => ({ ...begun, forMs, lastMs: NOW_MS });
  assertEquals(after(null), undefined);
  assertEquals(after({}), begun);
  assertEquals(after(null, "vat"), told(0));
  assertEquals(after({}, "vat"), told(8 * MINUTE_MS));
  for (const away of [5, 6, 600]) {
    const lastMs = NOW_MS - away * MINUTE_MS;
    assertEquals(after({ lastMs }, "vat"), told(12 * MINUTE_MS));
  }
  assertEquals(after({ lastMs: NOW_MS + 1 }, "vat"), told(7 * MINUTE_MS));
  assertEquals(after({ bidId: "bid_else" }, "vat"), told(0));
  assertEquals(after({ step: "finalizing" }, "vat"), told(0));
  assertEquals(after({ what: "company" }, "vat"), told(0));
});

Deno.test("stallAfter() begins anew ten minutes after the last attempt, to the millisecond", () => {
  const { sinceMs: before } = stalled();
  const lastMs = NOW_MS - 10 * MINUTE_MS;
  assertEquals(sinceMs(stalled({ lastMs: lastMs + 1 })), before);
  assertEquals(sinceMs(stalled({ lastMs })), NOW_MS);
});

Deno.test("stallAfter() begins no stall later than now, whatever clock began it", () => {
  const ahead = { sinceMs: NOW_MS + MINUTE_MS, lastMs: NOW_MS + MINUTE_MS };
  assertEquals(sinceMs(stalled(ahead)), NOW_MS);
});

Deno.test("stallAfter() ends a stall by any answer, also that no more calls are taken", () => {
  const after = (wait: Wait, isTurnedAway: boolean) =>
    stallAfter(
      sagaAt(NOW_MS, isTurnedAway),
      paying(stalled()),
      wait,
      NOW_MS,
    );
  assertEquals(after({ wait: "" }, false), null);
  assertEquals(after({ wait: "", awaited: "call" }, true), null);
});

Deno.test("waitAtMost() gives a stall 60 minutes, to the millisecond", async () => {
  const ended = async (forMs: number, isTurnedAway = false) => {
    const turn = paying(stalled({ sinceMs: NOW_MS - forMs }));
    const wait = { wait: "no answer", awaited: "call" } as const;
    const given = { wait: "given up" };
    const progress = await waitAtMost(
      sagaAt(NOW_MS, isTurnedAway),
      turn,
      wait,
      () => Promise.resolve(given),
    );
    return progress === given;
  };
  assertEquals(await ended(60 * MINUTE_MS - 1), false);
  assertEquals(await ended(60 * MINUTE_MS), true);
  assertEquals(await ended(60 * MINUTE_MS, true), false);
});

Deno.test("waitOrVoid() cancels nothing that another store has sold, and nothing twice", async () => {
  const waits = async (changes: Partial<Candidate>) => {
    const turn = paying(stalled({ sinceMs: NOW_MS - 61 * MINUTE_MS }));
    const candidate = { ...turn.candidate, ...changes };
    try {
      const given = { ...turn, candidate };
      return isWait(await waitOrVoid(sagaAt(NOW_MS), given, "look"));
    } catch {
      return false; // There is no store here to cancel it in.
    }
  };
  assertEquals(await waits({}), false);
  assertEquals(await waits({ note: "its open invoice stood" }), false);
  assertEquals(await waits({ note: INVOICE_SOLD }), true);
  assertEquals(await waits({ note: AD_LOST }), true);
  assertEquals(await waits({ step: "voiding" }), true);
});
