import { sha256Hex } from "../../../domain/sha256.ts";
import { assert, assertEquals } from "@std/assert";
import {
  beginLine,
  type LineEnd,
  moveOn,
  placeInLine,
  type ShownToken,
} from "../../../domain/oauth/refresh_line.ts";
import {
  readRefreshToken,
  refreshTokenText,
} from "../../../domain/oauth/refresh_token.ts";
import { TEST_KEYS } from "../../support/keys.ts";

const GRANT = { id: "grant_1", mandate: null };
const SECRETS = { line: "l".repeat(43), first: "f".repeat(43) };

function shown(text: string): ShownToken {
  const parts = readRefreshToken(text);
  assert(parts !== null);
  return { ...parts, text, hash: sha256Hex(text) };
}

function begun(): LineEnd {
  return beginLine(GRANT, SECRETS, TEST_KEYS.currentId, 0);
}

Deno.test("the tokens of a line are numbered from 1, one more with each refresh", () => {
  const first = begun();
  const grant = { ...GRANT, refresh: first.line };
  const second = moveOn(TEST_KEYS, grant, shown(first.text), 0);
  const numbers = [first, second].map((
    { text, line },
  ) => [shown(text).number, line.number]);
  assertEquals(numbers, [[1, 1], [2, 2]]);
});

Deno.test("placeInLine() takes a token of the current number and another secret for none of the line, and ends nothing by it", () => {
  const { line, text } = begun();
  const other = refreshTokenText(shown(text), "x".repeat(43));
  assertEquals(placeInLine(line, shown(other), 0), "none");
});

Deno.test("placeInLine() takes an older token of another line for none of this one", () => {
  const first = begun();
  const grant = { ...GRANT, refresh: first.line };
  const { line } = moveOn(TEST_KEYS, grant, shown(first.text), 0);
  const named = { ...shown(first.text), line: "o".repeat(22) };
  const other = refreshTokenText(named, "x".repeat(43));
  assertEquals(placeInLine(line, shown(other), 0), "none");
});

Deno.test("a refresh token has its number in six digits to the base of 36", () => {
  const parts = { grantId: "grant_1", line: "l".repeat(22), number: 36 * 35 };
  const text = refreshTokenText(parts, "s".repeat(43));
  assertEquals(
    text,
    `svc_rt_grant_1_${parts.line}0000z0${"s".repeat(43)}`,
  );
  assertEquals(readRefreshToken(text), parts);
});

Deno.test("the token before the current one has grace for 30 s to the millisecond, and is a reuse after that", () => {
  const first = begun();
  const grant = { ...GRANT, refresh: first.line };
  const { line } = moveOn(TEST_KEYS, grant, shown(first.text), 0);
  assertEquals(placeInLine(line, shown(first.text), 30_000), "grace");
  assertEquals(placeInLine(line, shown(first.text), 30_001), "reused");
});

Deno.test("the current token is none of the line from its last moment on", () => {
  const { line, text } = begun();
  assertEquals(placeInLine(line, shown(text), line.endsAtMs - 1), "current");
  assertEquals(placeInLine(line, shown(text), line.endsAtMs), "none");
});

Deno.test("a token whose use was never told of is as good as it was for as long as its line lives", () => {
  const first = begun();
  const token = shown(first.text);
  const { line } = moveOn(
    TEST_KEYS,
    { refresh: first.line, mandate: null },
    token,
    0,
  );
  const end = line.endsAtMs;
  assertEquals(placeInLine(line, token, end - 1, true), "grace");
  assertEquals(placeInLine(line, token, end, true), "reused");
  assertEquals(placeInLine(line, token, end - 1, false), "reused");
});
