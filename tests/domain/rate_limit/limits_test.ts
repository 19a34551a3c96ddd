import { assertEquals, assertStringIncludes } from "@std/assert";
import type { TurnLimits } from "../../../domain/rate_limit/account_turns.ts";
import * as limits from "../../../domain/rate_limit/limits.ts";
import { EMBEDDED_LANES, REMOTE_LANES } from "../../../kv/rate_buckets.ts";

const OPERATIONS = await Deno.readTextFile(
  new URL("../../../docs/operations.md", import.meta.url),
);
const EMBEDDED = limits.turnLimits(EMBEDDED_LANES);
const NETWORKED = limits.turnLimits(REMOTE_LANES);

Deno.test("what waits in a process is bounded as the operators' page says", () => {
  const {
    MAX_BUCKETS,
    MAX_JOINT_WAITERS,
    MAX_JOINT_WAITERS_OF_ONE,
    MAX_LINES_OF_ONE,
    MAX_WAIT_MS,
    MAX_WAITERS,
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
    ["Networks of one /48 that have any waiting", said(MAX_LINES_OF_ONE)],
    ["Buckets of each kind that a process remembers", said(MAX_BUCKETS)],
    [
      "Tokens and codes that may be made up",
      `${EMBEDDED["look-up"].runningOfOne} and ${
        EMBEDDED["look-up"].running
      } on ` +
      `an embedded store, ${NETWORKED["look-up"].runningOfOne} and ` +
      `${NETWORKED["look-up"].running} over a`,
    ],
    ["Such look-ups that wait", waits(NETWORKED["look-up"])],
    [
      "Lists read at the same time",
      `${EMBEDDED.list.runningOfOne} and ${EMBEDDED.list.running} on an embedded ` +
      `store, ${NETWORKED.list.runningOfOne} and ${NETWORKED.list.running} over a`,
    ],
    ["Lists that wait", waits(NETWORKED.list)],
    [
      "Changes, and bids, of one account's agents that read",
      `${said(EMBEDDED.bid.runningOfOne)} of each`,
    ],
    ["Such changes, and such bids, that wait", waits(EMBEDDED.bid)],
    [
      "Changes and bids of one account's agents that have lost a race",
      said(EMBEDDED["bid retry"].runningOfOne),
    ],
    [
      "The same that wait, of one account and of all",
      waits(EMBEDDED["bid retry"]),
    ],
    [
      "Pages for who is signed in that are made at the same time",
      `${said(EMBEDDED.page.runningOfOne)} and ${said(EMBEDDED.page.running)}`,
    ],
    ["Such pages that wait", waits(EMBEDDED.page)],
    [
      "What else than lists agents of one account",
      `${said(EMBEDDED.reading.runningOfOne)} and ` +
      said(EMBEDDED.reading.running),
    ],
    ["Such readings that wait", waits(EMBEDDED.reading)],
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
    limits.turnLimits({ maxUnderWay }).list.runningOfOne
  );
  assertEquals(ofOne, [1, 1, 2, 2, 3]);
});

function waits(
  { waitingOfOne, waiting, maxWaitMs }: TurnLimits,
): string {
  return `${said(waitingOfOne)} and ${said(waiting)}; ` +
    `${said(maxWaitMs / 1_000)} seconds`;
}

function said(count: number): string {
  return count.toLocaleString("en");
}
