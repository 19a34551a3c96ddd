import { assertEquals } from "@std/assert";
import {
  completedGrant,
  type GrantAsWritten,
} from "../../../domain/oauth/completed_grant.ts";
import type { Line, RefreshLine } from "../../../domain/oauth/grant.ts";
import { grant } from "../../kv/records.ts";

function refresh(lineHash: string, number = 1): RefreshLine {
  return {
    lineHash,
    number,
    currentHash: `${lineHash} ${number}`,
    previousHash: null,
    previousUsedAtMs: null,
    endsAtMs: 9,
    keyId: "key",
  };
}

function line(id: string, of: RefreshLine | null): Line {
  return { id, resources: ["agent"], begunAtMs: 0, refresh: of };
}

/** A row with these lines, and the line that the release before knows. */
function rowOf(known: RefreshLine | null, lines: readonly Line[]) {
  return { ...grant("grant_1", "acc_1"), refresh: known, lines };
}

Deno.test("completedGrant() finds the only line of a row of before under the grant's id", () => {
  const { lines: _lines, ...row } = grant("grant_1", "acc_1");
  const only = refresh("a");
  const completed = completedGrant({ ...row, refresh: only });
  assertEquals(completed.lines, [line("grant_1", only)]);
});

Deno.test("completedGrant() completes a row of the first version, which has no line that is good", () => {
  const first: GrantAsWritten = {
    id: "grant_1",
    accountId: "acc_1",
    clientId: "client_1",
    scopes: ["bids:read"],
    mandate: null,
    createdAtMs: 5,
    revokedAtMs: null,
  };
  const completed = completedGrant(first);
  assertEquals(completed.client.name, "client_1");
  assertEquals([completed.refresh, completed.lastUsedAtMs], [null, null]);
  assertEquals(completed.lines.map(({ id, refresh }) => [id, refresh]), [
    ["grant_1", null],
  ]);
});

Deno.test("completedGrant() takes over what the release before moved on, and leaves what is further", () => {
  const [a, b] = [line("a", refresh("a", 2)), line("b", refresh("b", 5))];
  const moved = completedGrant(rowOf(refresh("b", 6), [a, b]));
  assertEquals(moved.lines, [a, line("b", refresh("b", 6))]);
  const late = completedGrant(rowOf(refresh("b", 4), [a, b]));
  assertEquals(late.lines, [a, b]);
});

Deno.test("completedGrant() gives a line that the release before began to the one that waits, and to no other", () => {
  const waiting = line("b", null);
  const begun = completedGrant(rowOf(refresh("new"), [waiting]));
  assertEquals(begun.lines, [line("b", refresh("new"))]);
  const known = line("a", refresh("a"));
  const other = completedGrant(rowOf(refresh("a"), [waiting, known]));
  assertEquals(other.lines, [waiting, known]);
});
