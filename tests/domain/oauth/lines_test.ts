/** The lines of a grant: how many, until when, and which one gives way. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { AUTHORIZATION_CODE_MS } from "../../../domain/oauth/authorization_request.ts";
import type { Grant, Line } from "../../../domain/oauth/grant.ts";
import {
  findLine,
  hasLine,
  hasTokens,
  isWaiting,
  lineOfRefreshToken,
  LINES_MAX,
  withLine,
  withLines,
  withMoreLines,
  withoutLine,
} from "../../../domain/oauth/lines.ts";
import { sha256Hex } from "../../../domain/sha256.ts";

const NOW_MS = 1_000_000_000;

/** A line that waits for its code, begun now. */
function waiting(id: string, begunAtMs = NOW_MS): Line {
  return { id, resources: [], begunAtMs, refresh: null };
}

/** A line with tokens for a day, used last at that time. */
function live(
  id: string,
  changes: { previousUsedAtMs?: number; endsAtMs?: number } = {},
  begunAtMs = 0,
): Line {
  const refresh = {
    lineHash: sha256Hex(`name of ${id}`),
    number: 2,
    currentHash: `current of ${id}`,
    previousHash: `previous of ${id}`,
    previousUsedAtMs: null,
    endsAtMs: NOW_MS + 1,
    keyId: "k1",
    ...changes,
  };
  return { ...waiting(id, begunAtMs), refresh };
}

function grantOf(...lines: Line[]): Grant {
  return {
    id: "gr_1",
    accountId: "acc_ada",
    clientId: "dcr_client",
    client: {
      name: "Client",
      host: null,
      redirectHost: null,
      authentication: { method: "none" },
    },
    scopes: ["account:read"],
    resources: [],
    mandate: null,
    lines,
    refresh: null,
    createdAtMs: 0,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}

function idsOf({ lines }: Grant): string[] {
  return lines.map(({ id }) => id);
}

Deno.test("withLines() tells the release before the line of tokens that began last", () => {
  const [first, last] = [live("a"), live("b")];
  const lines = [first, last, waiting("c")];
  const grant = withLines(grantOf(), lines);
  assertEquals([grant.lines, grant.refresh], [lines, last.refresh]);
  const none = withLines(grant, [waiting("c")]);
  assertEquals([idsOf(none), none.refresh], [["c"], null]);
});

Deno.test("a line is found by its id, and by a token of its name once its code was exchanged", () => {
  const grant = grantOf(waiting("a"), live("b"), live("c"));
  assertEquals(findLine(grant, "b")?.id, "b");
  assertEquals(findLine(grant, "d"), null);
  const named = (line: string) => lineOfRefreshToken(grant, { line });
  assertEquals(named("name of c")?.id, "c");
  assertEquals(named("name of a"), null);
});

Deno.test("withLine() changes one line, withoutLine() ends one and says why, and the others stay", () => {
  const grant = grantOf(live("a"), live("b"), live("c"));
  const changed = live("b", { previousUsedAtMs: 7 });
  assertEquals(withLine(grant, changed).lines, [
    live("a"),
    changed,
    live("c"),
  ]);
  const without = withoutLine(grant, { id: "b" }, "client", NOW_MS);
  assertEquals(without.lines, [live("a"), live("c")]);
  assertEquals(without.lastEnding, { reason: "client", atMs: NOW_MS });
});

Deno.test("a line has tokens until their end, and waits for its code until that has run out", () => {
  const line = live("a", { endsAtMs: NOW_MS });
  assertEquals(hasTokens(line, NOW_MS - 1), true);
  assertEquals(hasTokens(line, NOW_MS), false);
  const lateMs = NOW_MS + AUTHORIZATION_CODE_MS;
  assertEquals(isWaiting(waiting("a"), lateMs - 1), true);
  assertEquals(isWaiting(waiting("a"), lateMs), false);
  assertEquals(hasTokens(waiting("a"), NOW_MS), false);
  assertEquals(isWaiting(live("a", {}, NOW_MS), NOW_MS), false);
});

Deno.test("hasLine() knows the lines of a grant that is not revoked", () => {
  const grant = grantOf(live("a"), live("b"));
  assertEquals(hasLine(grant, "b"), true);
  assertEquals(hasLine(grant, "c"), false);
  assertEquals(hasLine({ ...grant, revokedAtMs: NOW_MS }, "b"), false);
});

Deno.test("withMoreLines() lets go what has run out, which ends nothing else", () => {
  const over = live("over", { endsAtMs: NOW_MS });
  const late = waiting("late", NOW_MS - AUTHORIZATION_CODE_MS);
  const ten = Array.from({ length: 10 }, (_, nth) => live(`${nth}`));
  const grant = grantOf(over, late, ...ten.slice(0, 8));
  const more = withMoreLines(grant, ten.slice(8), NOW_MS);
  assertEquals(more.lines, ten);
  assertEquals(more.lastEnding, undefined);
});

Deno.test("withMoreLines() ends of eleven lines the one used longest ago, begun when it never was, and says so", () => {
  // Each was used later than the next, but the one in the middle.
  const lines = Array.from(
    { length: 10 },
    (_, nth) =>
      live(`${nth}`, { previousUsedAtMs: nth === 5 ? 10 : 1_000 - nth }, 20),
  );
  const grant = grantOf(...lines);
  const more = withMoreLines(grant, [waiting("new")], NOW_MS);
  assertEquals(
    idsOf(more),
    ["0", "1", "2", "3", "4", "6", "7", "8", "9", "new"],
  );
  assertEquals(more.lastEnding, { reason: "too_many", atMs: NOW_MS });
  const next = withMoreLines(more, [waiting("a"), waiting("b")], NOW_MS);
  assertEquals(
    idsOf(next),
    ["0", "1", "2", "3", "4", "6", "7", "new", "a", "b"],
  );
  const unused = live("unused", {}, 5);
  const again = withMoreLines(grant, [unused], NOW_MS);
  assertEquals(idsOf(again), idsOf(grant));
});

Deno.test("withMoreLines() keeps the lines used last, in the order they began, however many come", () => {
  const times = fc.array(fc.nat(1_000), { maxLength: 25 });
  fc.assert(fc.property(times, fc.nat(25), (usedAtMs, count) => {
    const lines = usedAtMs.map((previousUsedAtMs, nth) =>
      live(`${nth}`, { previousUsedAtMs })
    );
    const grant = grantOf(...lines.slice(0, count));
    const kept = withMoreLines(grant, lines.slice(count), NOW_MS).lines;
    assertEquals(kept.length, Math.min(lines.length, LINES_MAX));
    assertEquals(kept, lines.filter((line) => kept.includes(line)));
    const used = (line: Line) => line.refresh?.previousUsedAtMs ?? 0;
    const ended = lines.filter((line) => !kept.includes(line)).map(used);
    const latest = Math.max(-1, ...ended);
    for (const line of kept) assertEquals(used(line) >= latest, true);
  }));
});
