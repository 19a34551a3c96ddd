import { assertEquals, assertStringIncludes } from "@std/assert";
import * as limits from "../../../domain/rate_limit/limits.ts";
import { EMBEDDED_LANES, REMOTE_LANES } from "../../../kv/rate_buckets.ts";

const OPERATIONS = await Deno.readTextFile(
  new URL("../../../docs/operations.md", import.meta.url),
);
const EMBEDDED = limits.listTurns(EMBEDDED_LANES);
const NETWORKED = limits.listTurns(REMOTE_LANES);

Deno.test("what waits in a process is bounded as the operators' page says", () => {
  const {
    MAX_BUCKETS,
    MAX_JOINT_WAITERS,
    MAX_JOINT_WAITERS_OF_ONE,
    MAX_WAIT_MS,
    MAX_WAITERS,
    RETRY_TURNS,
  } = limits;
  const rows: readonly [row: string, says: string][] = [
    [
      "Requests of this table that one /48",
      `${said(MAX_JOINT_WAITERS_OF_ONE)} and ${said(MAX_JOINT_WAITERS)}`,
    ],
    [
      "All other requests that wait to be counted",
      `${said(MAX_WAITERS)}; ${said(MAX_WAIT_MS / 1_000)} seconds`,
    ],
    ["Buckets of each kind that a process remembers", said(MAX_BUCKETS)],
    [
      "Lists read at the same time",
      `${EMBEDDED.runningOfOne} and ${EMBEDDED.running} on an embedded ` +
      `store, ${NETWORKED.runningOfOne} and ${NETWORKED.running} over a`,
    ],
    ["Lists that wait", waits(NETWORKED)],
    [
      "Changes and bids of one account's agents that have lost a race",
      said(RETRY_TURNS.runningOfOne),
    ],
    ["The same that wait, of one account and of all", waits(RETRY_TURNS)],
  ];
  for (const [row, says] of rows) {
    const line = OPERATIONS.split("\n").find((one) =>
      one.startsWith(`| ${row}`)
    );
    assertStringIncludes(line ?? "", `| ${says}`, row);
  }
});

Deno.test("an account runs an eighth of as many lists as the store does commits, but one at least", () => {
  const ofOne = [1, 8, 9, 16, 17].map((maxUnderWay) =>
    limits.listTurns({ maxUnderWay }).runningOfOne
  );
  assertEquals(ofOne, [1, 1, 2, 2, 3]);
});

function waits(
  { waitingOfOne, waiting, maxWaitMs }: typeof limits.RETRY_TURNS,
): string {
  return `${said(waitingOfOne)} and ${said(waiting)}; ` +
    `${said(maxWaitMs / 1_000)} seconds`;
}

function said(count: number): string {
  return count.toLocaleString("en");
}
